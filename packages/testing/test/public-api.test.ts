import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "FaultyServer",
      "S3Server",
      "adapterContract",
      "areInstalled",
      "bgunzip",
      "byteSourceContract",
      "checkMutations",
      "checkSignature",
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
