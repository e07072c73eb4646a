import { packedPart, type UnpackedInterval } from '@htskit/formats/internal';
import { type ByteRange, type ByteSource, type ObjectStore, readChunks, StorageError } from '@htskit/io';
import type { BaseRange, ReadBasesOptions } from '../../sequence.js';
import { SequenceStoreError } from '../sequence-store-error.js';
import { sequenceKey } from '../store-layout.js';
import { applyRuns, type ExceptionRuns, isNormalized } from './exception-runs.js';
import {
  basesOffset,
  HEADER_BYTES,
  type ObjectHeader,
  objectSize,
  parseHeader,
  parseHeadRuns,
} from './object-format.js';
import { packedLength, unpackBases } from './packed-bases.js';

/** Bytes that are read to open an object: its header and the runs of nearly all chromosomes. */
const HEAD_BYTES = 16_384;

/** An open object of a sequence. Ranges must lie within the sequence. */
export class SequenceObject {
  readonly header: ObjectHeader;
  readonly key: string;
  readonly #source: ByteSource;
  /** Loaded with the first bases if the bytes that were read to open the object do not hold all runs. */
  #runs: Promise<ExceptionRuns> | ExceptionRuns | undefined;

  private constructor(source: ByteSource, { key, head }: { readonly key: string; readonly head: Uint8Array }) {
    this.header = parseHeader(head, key);
    this.key = key;
    this.#source = source;
    const runsEnd = basesOffset(this.header);
    if (runsEnd <= head.length) this.#runs = parseHeadRuns(head.subarray(HEADER_BYTES, runsEnd), this.header, key);
  }

  /** Reads the start of an object. Returns undefined if there is no such object. Throws SequenceStoreError, StorageError. */
  static async open(store: ObjectStore, trunc512: string): Promise<SequenceObject | undefined> {
    const key = sequenceKey(trunc512);
    const source = store.source(key, { isImmutable: true });
    try {
      const head = await source.read({ start: 0, end: HEAD_BYTES });
      const object = new SequenceObject(source, { key, head });
      object.#checkHead(head, trunc512);
      return object;
    } catch (error) {
      await source.close?.();
      if (error instanceof StorageError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Throws TRUNCATED and CORRUPT unless the head belongs to the sequence and is as long as it should be. */
  #checkHead(head: Uint8Array, trunc512: string): void {
    if (this.header.digests.trunc512 !== trunc512) {
      throw new SequenceStoreError('CORRUPT', 'the object holds another sequence', { key: this.key });
    }
    // A short object was read completely, of a longer one exactly HEAD_BYTES.
    const size = objectSize(this.header);
    this.#checkLength(head.length, head.length < HEAD_BYTES || size < HEAD_BYTES ? size : HEAD_BYTES);
  }

  /** Reads the bases of a range into memory. Throws TRUNCATED and CORRUPT, StorageError. */
  async read(range: BaseRange, { signal, into }: ReadBasesOptions = {}): Promise<Uint8Array> {
    const byteRange = this.#toByteRange(range);
    const isPacked = this.header.bitsPerBase !== 8;
    const byteLength = byteRange.end - byteRange.start;
    const target = isPacked ? packedPart(into, byteLength) : into;
    const bytes = await this.#source.read(byteRange, { signal, into: target });
    this.#checkLength(bytes.length, byteLength);
    if (!isPacked) return this.#checkBases(bytes);
    const runs = this.#loadRuns();
    return decode(bytes, { ...range, into }, runs instanceof Promise ? await runs : runs);
  }

  /** Like `read`, in chunks. */
  async *chunks(range: BaseRange, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const { bitsPerBase } = this.header;
    const byteRange = this.#toByteRange(range);
    const runs = bitsPerBase === 8 ? undefined : await this.#loadRuns();
    let length = 0;
    let start = range.start;
    for await (const bytes of readChunks(this.#source.stream(byteRange, { signal }))) {
      // A source may return several chunks of one read without checking the signal in between.
      signal?.throwIfAborted();
      length += bytes.length;
      const end = Math.min(
        range.end,
        bitsPerBase === 8 ? start + bytes.length : start - (start % 4) + 4 * bytes.length,
      );
      if (start < end) yield runs === undefined ? this.#checkBases(bytes) : decode(bytes, { start, end }, runs);
      start = end;
    }
    this.#checkLength(length, byteRange.end - byteRange.start);
  }

  /** Throws TRUNCATED or CORRUPT if the size of the object contradicts its header. */
  async checkSize(): Promise<void> {
    const { size } = await this.#source.stat();
    this.#checkLength(size, objectSize(this.header));
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }

  /** Returns exactly the bytes that hold the bases of a range. */
  #toByteRange({ start, end }: BaseRange): ByteRange {
    const offset = basesOffset(this.header);
    if (this.header.bitsPerBase === 8) return { start: offset + start, end: offset + end };
    const first = Math.floor(start / 4);
    return { start: offset + first, end: offset + (start === end ? first : packedLength(end)) };
  }

  #loadRuns(): Promise<ExceptionRuns> | ExceptionRuns {
    this.#runs ??= this.#readRuns();
    return this.#runs;
  }

  #readRuns(): Promise<ExceptionRuns> {
    const range = { start: HEADER_BYTES, end: basesOffset(this.header) };
    const runs = this.#source.read(range).then((bytes) => parseHeadRuns(bytes, this.header, this.key));
    // A failed read is tried again.
    runs.catch(() => {
      this.#runs = undefined;
    });
    return runs;
  }

  /** Throws CORRUPT for bytes that are not those of a normalised sequence. */
  #checkBases(bytes: Uint8Array): Uint8Array {
    for (const byte of bytes) {
      if (isNormalized(byte)) continue;
      throw new SequenceStoreError('CORRUPT', `expected bases, found the byte ${byte}`, { key: this.key });
    }
    return bytes;
  }

  #checkLength(found: number, expected: number): void {
    if (found === expected) return;
    const code = found < expected ? 'TRUNCATED' : 'CORRUPT';
    throw new SequenceStoreError(code, `expected ${expected} bytes, found ${found}`, { key: this.key });
  }
}

/** Decodes the bases of a range from the bytes that hold them. */
function decode(bytes: Uint8Array, range: UnpackedInterval, runs: ExceptionRuns): Uint8Array {
  const bases = unpackBases(bytes, range);
  if (runs.starts.length > 0) applyRuns(runs, bases, range);
  return bases;
}
