import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { encryptStream, formatSecretKey, generateKeyPair } from '@htskit/crypt4gh';

/** Writes `data` to a folder, plain and encrypted, with the secret key. Returns the paths, and the keys that decrypt it. */
export async function writeFiles(folder, data) {
  const { publicKey, secretKey } = generateKeyPair();
  const paths = {
    plain: join(folder, 'plain'),
    encrypted: join(folder, 'plain.c4gh'),
    secretKey: join(folder, 'a.sec'),
  };
  writeFileSync(paths.plain, data);
  writeFileSync(paths.secretKey, await formatSecretKey(secretKey), { mode: 0o600 });
  await pipeline(encryptStream([data], { recipients: [publicKey] }), createWriteStream(paths.encrypted));
  return { ...paths, keys: [secretKey] };
}
