import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "DEFAULT_LIMITS",
      "buildIndex",
      "createHtsgetHandler",
      "createPlainHtsgetHandler",
      "planBgzf",
      "planCram",
      "readBgzfFile",
      "readCramFile",
      "splitLongSegments",
      "streamPlan",
      "toTicket",
      "peekBlockToken",
    ]
  `);
});
