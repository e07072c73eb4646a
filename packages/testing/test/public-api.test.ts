import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CHUNK_SIZES",
      "FaultyServer",
      "KeptChunks",
      "S3Server",
      "adapterContract",
      "areInstalled",
      "bgunzip",
      "byteSourceContract",
      "checkMutations",
      "checkSignature",
      "chunksOf",
      "collectSlowly",
      "createBombs",
      "createRandom",
      "decodeBam",
      "deferred",
      "encodeTwoBit",
      "excessGrowth",
      "excessGrowthAsync",
      "expectations",
      "extractExample",
      "fixtureChecksums",
      "fixtureNames",
      "fixturePath",
      "hasEofMarker",
      "installPythonPackages",
      "mutations",
      "objectStoreContract",
      "overwriteChunks",
      "readFixture",
      "runReadmeExample",
      "sample",
      "splitBgzf",
      "startServer",
      "toOrdinals",
      "toSamText",
      "volume",
    ]
  `);
});
