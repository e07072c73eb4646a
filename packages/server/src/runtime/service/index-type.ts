import { extname } from 'node:path';
import { ENCRYPTED_EXTENSION } from '@htskit/indexes/internal';
import type { ByteSource } from '@htskit/io';

/** Returns the type of an index by its name, such as `BAI`. The query of a URL, and the extension of an encrypted file, may follow. */
export function indexTypeOf({ key }: Pick<ByteSource, 'key'>): string {
  const name = key.replace(/\?.*$/s, '');
  const plain = name.endsWith(ENCRYPTED_EXTENSION) ? name.slice(0, -ENCRYPTED_EXTENSION.length) : name;
  return extname(plain).slice(1).toUpperCase();
}
