import { expect, test } from 'vitest';
import * as indexes from '../src/index.js';
import * as internal from '../src/internal.js';

test('exports exactly these values', () => {
  expect(Object.keys(indexes).toSorted()).toMatchInlineSnapshot(`
    [
      "BinningIndexBuilder",
      "CraiIndex",
      "FaiBuilder",
      "IndexError",
      "TABIX_SETTINGS",
      "baseOffset",
      "formatCrai",
      "formatFai",
      "gzipCrai",
      "indexBam",
      "indexBcf",
      "indexCram",
      "indexPaths",
      "indexTabix",
      "indexVcf",
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

test('the internal entry point exports these names', () => {
  expect(Object.keys(internal).toSorted()).toMatchInlineSnapshot(`
    [
      "TabixRecords",
      "compactCrai",
      "decompressIndex",
      "mergeChunks",
      "parseBinningIndexInSteps",
      "parseFaiLines",
      "parseTabixLine",
    ]
  `);
});
