import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "bgunzip",
      "decodeBam",
      "expectations",
      "fixtureChecksums",
      "fixtureNames",
      "fixturePath",
      "hasEofMarker",
      "mutations",
      "readFixture",
      "splitBgzf",
      "toOrdinals",
      "toSamText",
    ]
  `);
});
