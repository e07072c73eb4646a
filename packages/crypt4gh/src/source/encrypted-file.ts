import { type ByteRange, type ByteSource, StorageError } from '@htskit/io';
import type { Crypt4ghHeader } from '../header/crypt4gh-header.js';
import { openHeader } from '../header/open-header.js';
import type { SecretKey } from '../keys/secret-key.js';
import { SegmentDecryptor } from '../segments/segment.js';
import { decryptSegments } from '../stream/decrypt-segments.js';
import { PlainLayout, type SegmentRun } from './plain-layout.js';
import { readAhead } from './read-ahead.js';

/** One version of an encrypted file. */
export interface FileVersion {
  /** Bytes of the encrypted file. */
  readonly size: number;
  readonly version?: string | undefined;
}

/** An encrypted file whose header was read and decrypted. */
export class EncryptedFile {
  readonly stored: ByteSource;
  readonly version: string | undefined;
  readonly header: Crypt4ghHeader;
  readonly layout: PlainLayout;
  readonly #decryptor: SegmentDecryptor;

  constructor(stored: ByteSource, { size, version }: FileVersion, header: Crypt4ghHeader) {
    this.stored = stored;
    this.version = version;
    this.header = header;
    const { byteLength, editList } = header;
    this.layout = new PlainLayout({ headerBytes: byteLength, storedBytes: size, editList });
    this.#decryptor = new SegmentDecryptor(header.dataKeys);
  }

  /** Reads and decrypts the header of a file. Throws what `openHeader` throws, and `Crypt4ghError` TRUNCATED. */
  static async open(stored: ByteSource, file: FileVersion, keys: readonly SecretKey[]): Promise<EncryptedFile> {
    return new EncryptedFile(stored, file, await openHeader(stored, { keys, version: file.version }));
  }

  /** Yields the decrypted ranges of a run of segments, which one request reads. Throws what `streamRun` throws. */
  readRun(run: SegmentRun, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
    return this.#decryptRun(run, this.#readChunks(run, signal));
  }

  /**
   * Streams and decrypts the ranges of a run of segments. It requests `aheadChunks` chunks more than it has decrypted. Throws
   * `Crypt4ghError` AUTHENTICATION_FAILED, and what the source throws.
   */
  streamRun(run: SegmentRun, aheadChunks: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const stream = this.stored.stream(this.#storedRange(run), { version: this.version, signal });
    return this.#decryptRun(run, readAhead(stream, aheadChunks));
  }

  async *#decryptRun(
    { firstSegment, ranges }: SegmentRun,
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void> {
    const headerBytes = this.header.byteLength;
    const end = yield* decryptSegments({ chunks, firstSegment, headerBytes, ranges, decryptor: this.#decryptor });
    const expected = ranges.at(-1)?.end ?? 0;
    if (end >= expected) return;
    throw new StorageError('SHORT_READ', `expected ${expected} bytes, found ${end}`, { key: this.stored.key });
  }

  async *#readChunks(run: SegmentRun, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
    yield await this.stored.read(this.#storedRange(run), { version: this.version, signal });
  }

  #storedRange({ firstSegment, endSegment }: SegmentRun): ByteRange {
    return this.layout.storedRange(firstSegment, endSegment);
  }
}
