import type { ByteSource } from '@htskit/io';

/** A file: a source of `@htskit/storage`, an HTTP(S) URL or, in Node, Bun and Deno, a path or a `file:` URL. */
export type FileLocation = ByteSource | string | URL;

/** Opens a file. Throws TypeError for a path in a runtime without local files. */
export async function openLocation(location: FileLocation): Promise<ByteSource> {
  if (typeof location !== 'string' && !(location instanceof URL)) return location;
  // Sources of their own are what most bundles for browsers use, which then need no transport.
  const { locationSource, NO_LOCAL_FILES } = await import('@htskit/storage/internal');
  const source = locationSource(location);
  if (source === undefined) throw new TypeError(NO_LOCAL_FILES);
  return source;
}
