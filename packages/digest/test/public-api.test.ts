import * as api from '@htskit/digest';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "DigestError",
      "SequenceDigester",
      "Sha512t24uDigester",
      "createMd5",
      "formatSequenceIdentifier",
      "fromTrunc512",
      "normalizeSequence",
      "parseSequenceIdentifier",
      "sha512t24u",
      "toTrunc512",
    ]
  `);
});
