import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
    [
      "RecordsError",
      "openAlignments",
      "openBam",
      "openRecords",
      "openTabix",
      "openVariants",
      "readPairs",
    ]
  `);
});
