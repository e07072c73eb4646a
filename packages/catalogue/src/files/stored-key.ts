import { crypt4ghOf } from '@htskit/crypt4gh/internal';
import type { ByteSource } from '@htskit/io';
import { plainPathOf } from '@htskit/io/internal';

/** Returns the key of a stored file, also if it is encrypted and a source of its plaintext. That of a local file is its path. */
export function storedKeyOf(source: ByteSource): string {
  return crypt4ghOf(source)?.stored.key ?? source.key;
}

/** Returns the name of a stored file without the extension of an encrypted one. The query of a URL is left out. */
export function storedNameOf(source: ByteSource): string {
  return plainPathOf(storedKeyOf(source).replace(/\?.*$/s, ''));
}

/** Returns the type of an index by its name, such as `BAI`. */
export function indexTypeOf(index: ByteSource): string {
  return (/\.([^./\\]+)$/.exec(storedNameOf(index))?.[1] ?? '').toUpperCase();
}
