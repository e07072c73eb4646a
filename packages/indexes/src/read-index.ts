import { IndexError } from './index-error.js';

export interface ReadIndexOptions {
  readonly signal?: AbortSignal | undefined;
  /** Refuse an index of more bytes, as it is stored and uncompressed. Default 256 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Where an index is read from, such as a `ByteSource` of @htskit/storage, whose `fromFilehandle` takes filehandles. */
export interface IndexSource {
  stat(options?: {
    readonly signal?: AbortSignal;
  }): Promise<{ readonly size: number; readonly version?: string | undefined }>;
  read(
    range: { readonly start: number; readonly end: number },
    options?: { readonly signal?: AbortSignal; readonly version?: string },
  ): Promise<Uint8Array>;
}

const DEFAULT_MAX_BYTES = 2 ** 28;

/**
 * Reads a whole index and parses it: `await readIndex(source, parseBai)`. Throws what `parse` throws and what the source
 * does, and `IndexError` LIMIT_EXCEEDED, before it reads, for one of more than `maxBytes`.
 */
export async function readIndex<Index>(
  source: IndexSource,
  parse: (bytes: Uint8Array, options: { readonly maxBytes: number }) => Index,
  { maxBytes = DEFAULT_MAX_BYTES, signal }: ReadIndexOptions = {},
): Promise<Index> {
  const readOptions = signal === undefined ? {} : { signal };
  const { size, version } = await source.stat(readOptions);
  if (size > maxBytes) {
    throw new IndexError('LIMIT_EXCEEDED', `an index of ${size} bytes is longer than ${maxBytes}`, { offset: 0 });
  }
  const expected = version === undefined ? readOptions : { ...readOptions, version };
  return parse(await source.read({ start: 0, end: size }, expected), { maxBytes });
}
