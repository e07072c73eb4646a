import { expect, test } from 'vitest';
import * as api from '../src/index.js';
import * as internal from '../src/internal.js';

test('exports exactly these values', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CollectionBuilder",
      "DigestPool",
      "SequenceSourceError",
      "SequenceStoreError",
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

test('the internal entry point exports these names', () => {
  expect(Object.keys(internal).toSorted()).toMatchInlineSnapshot(`
    [
      "ARRAY_ATTRIBUTES",
      "COLLECTION_ATTRIBUTES",
      "RecordWarnings",
      "SequenceTable",
      "TRANSIENT_ATTRIBUTE",
      "TwoBitFile",
      "canonicalArray",
      "canonicalAttribute",
      "canonicalString",
      "canonicalStrings",
      "checkNamingAuthority",
      "collectionDigest",
      "curieKey",
      "digestTexts",
      "encodeTexts",
      "isWellFormed",
      "lookupKey",
      "lookupKeys",
      "namesOf",
      "readFastaTable",
      "readImportedTable",
      "readRgstore",
      "readTwoBitTable",
      "toFastaTable",
      "toImportedTable",
      "toSequence",
      "toTwoBitTable",
      "wrapLines",
    ]
  `);
});
