import { extname } from 'node:path';
import { crypt4ghOf } from '@htskit/crypt4gh/internal';
import { ENCRYPTED_EXTENSION } from '@htskit/indexes/internal';
import type { ByteSource } from '@htskit/io';

/** Returns the key of a stored file, also if it is encrypted and a source of its plaintext. That of a local file is its path. */
export function storedKeyOf(source: ByteSource): string {
  return crypt4ghOf(source)?.stored.key ?? source.key;
}

/** Returns the type of an index by its name, such as `BAI`. The query of a URL, and the extension of an encrypted file, may follow. */
export function indexTypeOf(index: ByteSource): string {
  const name = storedKeyOf(index).replace(/\?.*$/s, '');
  const plain = name.endsWith(ENCRYPTED_EXTENSION) ? name.slice(0, -ENCRYPTED_EXTENSION.length) : name;
  return extname(plain).slice(1).toUpperCase();
}
