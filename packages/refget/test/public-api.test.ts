import * as api from '@htskit/refget';
import * as seqrepo from '@htskit/refget/seqrepo';
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

test('exports exactly the names of the handler of SeqRepo', () => {
  expect(Object.keys(seqrepo).sort()).toMatchInlineSnapshot(`
    [
      "createPlainSeqRepoHandler",
      "createSeqRepoHandler",
      "parseSeqRepoPath",
    ]
  `);
});
