import * as api from '@htskit/refget';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "SequenceSourceError",
      "checkNamingAuthority",
      "compareCollections",
      "createCatalogue",
      "createCollectionCatalogue",
      "createRefgetHandler",
      "openFasta",
      "openTwoBit",
      "parseAliasTable",
      "parseDictionaryDigests",
      "planSubsequence",
      "sequenceCollection",
      "toComparedCollection",
    ]
  `);
});
