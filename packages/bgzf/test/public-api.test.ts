import { expect, test } from 'vitest';
import * as bgzf from '../src/index.js';
import * as internal from '../src/internal.js';

test('the exports are the public API', () => {
  expect(Object.keys(bgzf).toSorted()).toMatchInlineSnapshot(`
    [
      "BgzfCompressionStream",
      "BgzfDecompressionStream",
      "BgzfError",
      "BgzfPool",
      "BgzfReader",
      "EOF_MARKER",
      "GziBuilder",
      "buildGzi",
      "compareVirtualOffsets",
      "defaultEngine",
      "deflateBlocks",
      "deflateStream",
      "formatGzi",
      "gunzip",
      "inflateBlock",
      "inflateBlocks",
      "inflateRange",
      "inflateStream",
      "locateUncompressed",
      "parseGzi",
      "readEofMarker",
      "streamCut",
    ]
  `);
});

test('the internal entry point exports these names', () => {
  expect(Object.keys(internal).toSorted()).toMatchInlineSnapshot(`
    [
      "BLOCK_DATA_BYTES",
      "BlockInflater",
      "InflatePool",
      "MAX_BLOCK_SIZE",
      "RangeInflater",
      "blockRange",
      "crc32",
      "createZlibInflater",
      "defaultInflateEngine",
      "deflateZlib",
      "endsWithEofMarker",
      "findBlock",
      "inflateBlockPrefix",
      "inflatePieces",
      "parseBlockHeader",
      "readBlock",
      "streamBlocks",
      "virtualOffsetFromU64",
    ]
  `);
});
