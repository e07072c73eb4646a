import {
  type ByteRange,
  type ByteSource,
  checkNotAborted,
  checkRange,
  type ReadOptions,
  type SourceStat,
  type StatOptions,
  StorageError,
  toByteStream,
} from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';
import type { SecretKey } from '../keys/secret-key.js';
import { EncryptedFile, type FileVersion } from './encrypted-file.js';

export interface DecryptingSourceOptions {
  /** The secret keys of the reader, which are tried in turn. They must not be cleared while the source is in use. */
  readonly keys: readonly SecretKey[];
  /** Chunks of a stream that are requested while the one before is decrypted. Default 2. */
  readonly readAhead?: number;
}

/**
 * Returns a source of the plaintext of an encrypted file: sizes and ranges are those of the decrypted data, after the edit list. Its
 * version is that of the encrypted file. It reads the header again when the file changes. Fails with the `StorageError` of the stored
 * source, or with `Crypt4ghError`; no byte is returned that was not authenticated.
 *
 * @example
 * const plain = decryptingSource(source, { keys: [secretKey] });
 * const start = await plain.read({ start: 0, end: 100 });
 */
export function decryptingSource(stored: ByteSource, options: DecryptingSourceOptions): ByteSource {
  return new DecryptingSource(stored, options);
}

/** Returns access to the encrypted file that a source decrypts, or undefined if it is not a decrypting source. */
export function crypt4ghOf(source: ByteSource): Pick<DecryptingSource, 'stored' | 'openFile'> | undefined {
  return source instanceof DecryptingSource ? source : undefined;
}

/** A file that is being opened, or was. */
interface OpenedFile extends FileVersion {
  readonly opening: Promise<EncryptedFile>;
}

class DecryptingSource implements ByteSource {
  readonly key: string;
  /** The source of the encrypted file. */
  readonly stored: ByteSource;
  readonly #options: DecryptingSourceOptions;
  #opened: OpenedFile | undefined;

  constructor(stored: ByteSource, options: DecryptingSourceOptions) {
    this.key = `${stored.key}#decrypted`;
    this.stored = stored;
    this.#options = options;
  }

  async stat(options: StatOptions = {}): Promise<SourceStat> {
    checkNotAborted(options.signal, this.key);
    const stat = await this.stored.stat(options);
    const { layout } = await this.#openVersion(stat, options.signal);
    return { ...stat, size: layout.size };
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    checkRange(range, this.key);
    checkNotAborted(options.signal, this.key);
    const file = await this.openFile(options);
    const byteLength = Math.max(0, Math.min(range.end, file.layout.size) - range.start);
    const { into } = options;
    const bytes =
      into !== undefined && into.length >= byteLength ? into.subarray(0, byteLength) : new Uint8Array(byteLength);
    let at = 0;
    for (const run of file.layout.runsOf(range)) {
      for await (const part of file.readRun(run, options.signal)) {
        bytes.set(part, at);
        at += part.length;
      }
    }
    return bytes;
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    const ended = new AbortController();
    const chunks = this.#chunks(range, options, ended.signal);
    return toByteStream(chunks, { signal: options.signal, key: this.key, onCancel: () => ended.abort() });
  }

  /** Drops the data keys, and closes the stored source. */
  async close(): Promise<void> {
    this.#opened = undefined;
    await this.stored.close?.();
  }

  /** Opens the encrypted file in the requested version, by default the current one. Throws `StorageError` CHANGED for another one. */
  async openFile({ signal, version }: ReadOptions = {}): Promise<EncryptedFile> {
    const opened = this.#opened;
    if (version !== undefined && opened?.version === version) return this.#openVersion(opened, signal);
    const stat = await this.stored.stat({ signal });
    if (version !== undefined && version !== stat.version) {
      throw new StorageError('CHANGED', 'the file has another version than requested', { key: this.key });
    }
    return this.#openVersion(stat, signal);
  }

  async #openVersion({ size, version }: FileVersion, signal: AbortSignal | undefined): Promise<EncryptedFile> {
    let opened = this.#opened;
    if (opened === undefined || opened.version !== version || opened.size !== size) {
      opened = { size, version, opening: EncryptedFile.open(this.stored, { size, version }, this.#options.keys) };
      this.#opened = opened;
    }
    try {
      return await unlessAborted(opened.opening, signal, this.key);
    } catch (error) {
      if (this.#opened === opened && signal?.aborted !== true) this.#opened = undefined;
      throw error;
    }
  }

  async *#chunks(range: ByteRange, options: ReadOptions, ended: AbortSignal): AsyncGenerator<Uint8Array, void> {
    checkRange(range, this.key);
    checkNotAborted(options.signal, this.key);
    const file = await this.openFile(options);
    for (const run of file.layout.runsOf(range)) yield* file.streamRun(run, this.#options.readAhead ?? 2, ended);
  }
}
