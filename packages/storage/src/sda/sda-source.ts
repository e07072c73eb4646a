import {
  type ByteRange,
  type ByteSource,
  checkRange,
  concatBytes,
  type ReadOptions,
  readChunks,
  type SourceStat,
  type StatOptions,
  toByteStream,
} from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';
import { toChangedError } from '../http/storage-failure.js';
import type { SdaHeader } from './sda-archive.js';

export interface SdaSourceOptions {
  /** Requests the header of the file, encrypted for the reader. */
  readonly readHeader: () => Promise<SdaHeader>;
  /** The encrypted segments of the file. */
  readonly content: ByteSource;
}

/**
 * Returns a source of a file of the archive: its header, which is requested once and kept, and the encrypted segments. Its version is
 * that of the segments. Fails with `StorageError` CHANGED if the header belongs to other segments.
 */
export function sdaSource(options: SdaSourceOptions): ByteSource {
  return new SdaSource(options);
}

class SdaSource implements ByteSource {
  readonly key: string;
  readonly #options: SdaSourceOptions;
  #header: Promise<SdaHeader> | undefined;

  constructor(options: SdaSourceOptions) {
    this.key = options.content.key;
    this.#options = options;
  }

  async stat(options: StatOptions = {}): Promise<SourceStat> {
    const stat = await this.#options.content.stat(options);
    const header = await this.#openHeader(stat.version, options);
    return { ...stat, size: header.length + stat.size };
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    checkRange(range, this.key);
    const header = await this.#openHeader(options.version, options);
    const { inHeader, inContent } = divide(range, header.length);
    const first = header.subarray(inHeader.start, inHeader.end);
    if (inContent === undefined) return first.slice();
    const rest = await this.#options.content.read(inContent, options);
    return first.length === 0 ? rest : concatBytes([first, rest]);
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    const ended = new AbortController();
    const chunks = this.#chunks(range, { ...options, signal: ended.signal });
    return toByteStream(chunks, { signal: options.signal, key: this.key, onCancel: () => ended.abort() });
  }

  async close(): Promise<void> {
    await this.#options.content.close?.();
  }

  async *#chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    checkRange(range, this.key);
    const header = await this.#openHeader(options.version, options);
    const { inHeader, inContent } = divide(range, header.length);
    if (inHeader.start < inHeader.end) yield header.slice(inHeader.start, inHeader.end);
    if (inContent !== undefined) yield* readChunks(this.#options.content.stream(inContent, options));
  }

  /** Returns the header of a version of the segments, by default of any. A header of another version is requested again. */
  async #openHeader(version: string | undefined, { signal }: StatOptions): Promise<Uint8Array> {
    const known = this.#header;
    const header = await unlessAborted(known ?? this.#request(), signal, this.key);
    if (isOf(header, version)) return header.bytes;
    if (this.#header === known) this.#header = undefined;
    const renewed = known === undefined ? header : await unlessAborted(this.#request(), signal, this.key);
    if (isOf(renewed, version)) return renewed.bytes;
    throw toChangedError({ key: this.key });
  }

  #request(): Promise<SdaHeader> {
    const header = this.#options.readHeader();
    this.#header = header;
    header.catch(() => {
      if (this.#header === header) this.#header = undefined;
    });
    return header;
  }
}

function isOf({ contentTag }: SdaHeader, version: string | undefined): boolean {
  return contentTag === undefined || version === undefined || contentTag === version;
}

/** Divides a range of the file into those of its header and of its segments. */
function divide(
  { start, end }: ByteRange,
  headerBytes: number,
): { readonly inHeader: ByteRange; readonly inContent: ByteRange | undefined } {
  const inHeader = { start: Math.min(start, headerBytes), end: Math.min(end, headerBytes) };
  const inContent = {
    start: Math.max(start, headerBytes) - headerBytes,
    end: Math.max(end, headerBytes) - headerBytes,
  };
  return { inHeader, inContent: end > headerBytes || start >= headerBytes ? inContent : undefined };
}
