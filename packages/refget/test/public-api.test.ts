import * as api from '@htskit/refget';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "SequenceSourceError",
      "SequenceStoreError",
      "checkNamingAuthority",
      "compareCollections",
      "createCatalogue",
      "createCollectionCatalogue",
      "createPlainRefgetHandler",
      "createRefgetHandler",
      "importFasta",
      "joinCatalogues",
      "openFasta",
      "openRgstore",
      "openSequenceStore",
      "openTwoBit",
      "parseAliasTable",
      "parseDictionaryDigests",
      "planSubsequence",
      "sequenceCollection",
      "toComparedCollection",
      "verifyStore",
    ]
  `);
});
