import { expect, test } from 'vitest';
import * as indexes from '../src/index.js';

test('the exports are these', () => {
  expect(Object.keys(indexes).toSorted()).toMatchInlineSnapshot(`
    [
      "FaiBuilder",
      "IndexError",
      "baseOffset",
      "formatCrai",
      "formatFai",
      "gzipCrai",
      "mergeChunks",
      "parseBai",
      "parseBinningIndex",
      "parseCrai",
      "parseCsi",
      "parseFai",
      "parseTbi",
      "readIndex",
    ]
  `);
});
