import { expect, test } from 'vitest';
import * as indexes from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(indexes).toSorted()).toMatchInlineSnapshot(`
    [
      "BinningIndexBuilder",
      "CraiIndex",
      "FaiBuilder",
      "IndexError",
      "TABIX_SETTINGS",
      "TabixRecords",
      "baseOffset",
      "compactCrai",
      "decompressIndex",
      "formatCrai",
      "formatFai",
      "gzipCrai",
      "indexBam",
      "indexBcf",
      "indexCram",
      "indexPaths",
      "indexTabix",
      "indexVcf",
      "mergeChunks",
      "parseBai",
      "parseBinningIndex",
      "parseBinningIndexInSteps",
      "parseCrai",
      "parseCsi",
      "parseFai",
      "parseFaiLines",
      "parseTabixLine",
      "parseTbi",
      "readIndex",
    ]
  `);
});
