import { expect, test } from 'vitest';
import * as bgzf from '../src/index.js';

test('the exports are the public API', () => {
  expect(Object.keys(bgzf).toSorted()).toMatchInlineSnapshot(`
    [
      "BLOCK_DATA_BYTES",
      "BgzfCompressionStream",
      "BgzfDecompressionStream",
      "BgzfError",
      "BgzfPool",
      "BgzfReader",
      "BlockInflater",
      "EOF_MARKER",
      "GziBuilder",
      "MAX_BLOCK_SIZE",
      "RangeInflater",
      "buildGzi",
      "compareVirtualOffsets",
      "crc32",
      "defaultEngine",
      "defaultInflateEngine",
      "deflateBlocks",
      "deflateStream",
      "endsWithEofMarker",
      "findBlock",
      "formatGzi",
      "gunzip",
      "inflateBlock",
      "inflateBlockPrefix",
      "inflateBlocks",
      "inflateRange",
      "inflateStream",
      "isEofMarker",
      "locateUncompressed",
      "parseBlockHeader",
      "parseGzi",
      "readBlock",
      "readEofMarker",
      "streamBlocks",
      "streamCut",
      "virtualOffsetFromU64",
    ]
  `);
});
