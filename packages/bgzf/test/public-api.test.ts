import { expect, test } from 'vitest';
import * as bgzf from '../src/index.js';

test('the exports are these', () => {
  expect(Object.keys(bgzf).toSorted()).toMatchInlineSnapshot(`
    [
      "BgzfError",
      "EOF_MARKER",
      "GziBuilder",
      "MAX_BLOCK_SIZE",
      "buildGzi",
      "compareVirtualOffsets",
      "deflateBlocks",
      "endsWithEofMarker",
      "formatGzi",
      "inflateBlock",
      "inflateBlocks",
      "inflateRange",
      "locateUncompressed",
      "parseBlockHeader",
      "parseGzi",
      "readBlock",
      "readChunks",
      "streamBlocks",
      "streamCut",
      "virtualOffsetFromHalves",
    ]
  `);
});
