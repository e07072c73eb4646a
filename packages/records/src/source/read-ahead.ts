import { type ByteRange, concatBytes } from '@htskit/io';
import { onAbort } from '@htskit/io/internal';
import type { OpenSource } from './open-source.js';

/** Bytes that are requested first: most regions need no more. A request of this size is cached. */
const FIRST_BYTES = 2 ** 19;
const FIRST_LOCAL_BYTES = 2 ** 17;

/** With each request that was used up, this many times as many bytes are requested ahead. */
const GROWTH = 4;

/** The maximum number of bytes that are requested ahead. */
const MAX_AHEAD_BYTES = 2 ** 23;

/** Requests that are in flight at once. */
const REQUESTS = 4;

type ReadableFile = Pick<OpenSource, 'source' | 'version' | 'isLocal'>;

/** A part of a range that was requested. */
interface Piece extends ByteRange {
  readonly bytes: Promise<Uint8Array>;
}

/**
 * Reads ranges of a file from start to end, several requests ahead of what is taken. Nothing is requested before it is needed, and
 * the longer the file is read, the more is requested ahead.
 */
export class ReadAhead {
  readonly #file: ReadableFile;
  readonly #ranges: readonly ByteRange[];
  readonly #signal: AbortSignal | undefined;
  /** Aborts the requests. A reading whose data is kept has none, and a controller takes as long as many of its records. */
  #controller: AbortController | undefined;
  #stopListening: () => void = () => undefined;
  /** The first range that was not requested to its end. */
  #range = 0;
  /** The offset just after the last piece. */
  #requested = 0;
  /** Pieces in ascending order, from that which was taken from last. */
  #pieces: Piece[] = [];
  readonly #firstBytes: number;
  #aheadBytes: number;

  /** `ranges` are disjoint and in ascending order. They may extend past the end of the file. */
  constructor(file: ReadableFile, ranges: readonly ByteRange[], signal: AbortSignal | undefined) {
    this.#file = file;
    this.#ranges = ranges;
    this.#signal = signal;
    this.#firstBytes = file.isLocal ? FIRST_LOCAL_BYTES : FIRST_BYTES;
    this.#aheadBytes = this.#firstBytes;
  }

  /**
   * Returns bytes of the ranges: fewer at the end of the range that `start` is in, and at the end of the file. Throws what the
   * source throws.
   */
  async take({ start, end }: ByteRange): Promise<Uint8Array> {
    this.#seek(start);
    const parts: Uint8Array[] = [];
    for (let at = start; at < end; ) {
      this.#request(at, end);
      const piece = this.#pieces.find((candidate) => candidate.start <= at && at < candidate.end);
      const part = (await piece?.bytes)?.subarray(at - (piece?.start ?? 0), end - (piece?.start ?? 0));
      if (part === undefined || part.length === 0) break;
      parts.push(part);
      at += part.length;
    }
    const [first] = parts;
    return parts.length === 1 && first !== undefined ? first : concatBytes(parts);
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#stopListening();
    // A reason saves the construction of a DOMException.
    this.#controller?.abort('closed');
  }

  /** Drops the pieces before `start`, and all if `start` is before them. */
  #seek(start: number): void {
    const isBack = start < (this.#pieces[0]?.start ?? Number.POSITIVE_INFINITY);
    const kept = isBack ? [] : this.#pieces.filter(({ end }) => end > start);
    if (kept.length < this.#pieces.length) this.#aheadBytes = Math.min(GROWTH * this.#aheadBytes, MAX_AHEAD_BYTES);
    this.#pieces = kept;
    if (kept.length === 0) this.#requested = start;
    if (isBack) this.#range = 0;
  }

  /** Requests what is needed from `at` to `wantedEnd`, and what is requested ahead of it. */
  #request(at: number, wantedEnd: number): void {
    const pieceBytes = Math.max(this.#firstBytes, this.#aheadBytes / REQUESTS);
    for (;;) {
      const range = this.#ranges[this.#range];
      if (range === undefined) return;
      const start = Math.max(range.start, this.#requested);
      if (start >= range.end) {
        this.#range++;
        continue;
      }
      const isEnough = this.#pieces.length >= REQUESTS || this.#pendingBytes(at) >= this.#aheadBytes;
      if (isEnough && this.#requested > at) return;
      this.#add({ start, end: Math.min(range.end, Math.max(wantedEnd, start + pieceBytes)) });
    }
  }

  #pendingBytes(at: number): number {
    return this.#pieces.reduce((sum, { start, end }) => sum + Math.max(0, end - Math.max(start, at)), 0);
  }

  /** Returns the signal of all requests. */
  #control(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.#stopListening = onAbort(this.#signal, (reason) => controller.abort(reason));
    }
    return this.#controller.signal;
  }

  #add(range: ByteRange): void {
    const { source, version } = this.#file;
    const bytes = source.read(range, { version, signal: this.#control() });
    // A piece that is not taken has no other listener.
    bytes.catch(() => undefined);
    this.#pieces.push({ ...range, bytes });
    this.#requested = range.end;
  }
}
