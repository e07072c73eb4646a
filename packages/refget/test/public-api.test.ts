import * as api from '@htskit/refget';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "RefgetError",
      "compareCollections",
      "createCatalogue",
      "createCollectionCatalogue",
      "createPlainRefgetHandler",
      "createRefgetHandler",
      "joinCatalogues",
      "joinCollections",
      "parseLocalCollection",
      "planSubsequence",
      "sequenceCollection",
      "sourceCollections",
      "toComparedCollection",
    ]
  `);
});
