import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CHUNK_SIZES",
      "FaultyServer",
      "JsonServer",
      "KeptChunks",
      "S3Server",
      "areInstalled",
      "bgunzip",
      "byteSourceContract",
      "checkMutations",
      "checkSignature",
      "chunksOf",
      "collectSlowly",
      "costRatio",
      "createRandom",
      "decodeBam",
      "deferred",
      "downloadNpmPackage",
      "encodeTwoBit",
      "excessGrowth",
      "excessGrowthAsync",
      "expectations",
      "extractExample",
      "failureCode",
      "fixtureChecksums",
      "fixtureNames",
      "fixturePath",
      "hasEofMarker",
      "installPythonPackages",
      "mutations",
      "objectBytes",
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
