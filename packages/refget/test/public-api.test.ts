import * as api from '@htskit/refget';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "FastaSourceError",
      "compareCollections",
      "createCatalogue",
      "createCollectionCatalogue",
      "createRefgetHandler",
      "openFasta",
      "planSubsequence",
      "sequenceCollection",
      "toComparedCollection",
    ]
  `);
});
