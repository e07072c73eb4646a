import { expect, test } from 'vitest';
import * as api from '../src/index.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CollectionBuilder",
      "DigestPool",
      "RecordWarnings",
      "SequenceSourceError",
      "SequenceStoreError",
      "checkNamingAuthority",
      "digestFasta",
      "exportFasta",
      "exportRgstore",
      "exportTable",
      "importFasta",
      "openFasta",
      "openRgstore",
      "openSequenceStore",
      "openTwoBit",
      "parseAliasTable",
      "parseDictionaryDigests",
      "removeCollection",
      "sequenceCollection",
      "verifyStore",
    ]
  `);
});
