import { extname } from 'node:path';
import { crypt4ghOf } from '@htskit/crypt4gh/internal';
import type { ByteSource } from '@htskit/io';
import { plainPathOf } from '@htskit/io/internal';

/** Returns the key of a stored file, also if it is encrypted and a source of its plaintext. That of a local file is its path. */
export function storedKeyOf(source: ByteSource): string {
  return crypt4ghOf(source)?.stored.key ?? source.key;
}

/** Returns the type of an index by its name, such as `BAI`. The query of a URL, and the extension of an encrypted file, may follow. */
export function indexTypeOf(index: ByteSource): string {
  const name = storedKeyOf(index).replace(/\?.*$/s, '');
  return extname(plainPathOf(name)).slice(1).toUpperCase();
}
