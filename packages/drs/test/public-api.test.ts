import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
    [
      "Checksums",
      "DEFAULT_DRS_LIMITS",
      "DrsError",
      "createDrsHandler",
      "createPlainDrsHandler",
    ]
  `);
});
