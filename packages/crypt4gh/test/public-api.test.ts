import * as api from '@htskit/crypt4gh';
import { expect, test } from 'vitest';

test('exports exactly its documented names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "Crypt4ghError",
      "SecretKey",
      "decryptStream",
      "decryptingSource",
      "encryptStream",
      "formatPublicKey",
      "formatSecretKey",
      "generateKeyPair",
      "openHeader",
      "parsePublicKey",
      "parseSecretKey",
      "publicKeyOf",
      "reencryptHeader",
      "reencryptStream",
      "toEditList",
    ]
  `);
});
