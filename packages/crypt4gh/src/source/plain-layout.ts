import type { ByteRange } from '@htskit/io';
import { firstIndex } from '@htskit/io/internal';
import { checkKeptEnd, type EditList, toKeptRanges } from '../header/edit-list.js';
import { plainSize, SEGMENT_BYTES, STORED_SEGMENT_BYTES } from '../segments/segment.js';

export interface LayoutInput {
  /** Bytes of the header. */
  readonly headerBytes: number;
  /** Bytes of the encrypted file. */
  readonly storedBytes: number;
  readonly editList: EditList | undefined;
}

/** Neighbouring segments that are read at once, and the ranges of the decrypted data to take from them. */
export interface SegmentRun {
  /** The index of the first segment. */
  readonly firstSegment: number;
  /** The index after the last segment. */
  readonly endSegment: number;
  /** Ranges of the decrypted data of all segments, in order and not empty. */
  readonly ranges: readonly ByteRange[];
}

/** Maps the plaintext of a file, which is what its edit list keeps of the decrypted data, to its segments. */
export class PlainLayout {
  /** Bytes of the plaintext. */
  readonly size: number;
  readonly #headerBytes: number;
  readonly #storedBytes: number;
  readonly #kept: readonly ByteRange[];
  /** The offset in the plaintext of each kept range. */
  readonly #offsets: readonly number[];

  /** Throws `Crypt4ghError` TRUNCATED if the last segment is cut, or the edit list refers to bytes after it. */
  constructor({ headerBytes, storedBytes, editList = [] }: LayoutInput) {
    this.#headerBytes = headerBytes;
    this.#storedBytes = storedBytes;
    this.#kept = clipKept(toKeptRanges(editList), plainSize(storedBytes - headerBytes), storedBytes);
    let size = 0;
    this.#offsets = this.#kept.map(({ start, end }) => {
      const offset = size;
      size += end - start;
      return offset;
    });
    this.size = size;
  }

  /**
   * Returns the runs of segments that hold ranges of the plaintext, clipped at its end. The ranges must be in order and must not
   * overlap.
   */
  runsOf(...ranges: readonly ByteRange[]): readonly SegmentRun[] {
    const runs: { firstSegment: number; endSegment: number; ranges: ByteRange[] }[] = [];
    for (const range of ranges.flatMap((each) => this.#keptParts(each))) {
      const firstSegment = Math.floor(range.start / SEGMENT_BYTES);
      const endSegment = Math.ceil(range.end / SEGMENT_BYTES);
      const run = runs.at(-1);
      if (run !== undefined && firstSegment <= run.endSegment) {
        run.endSegment = Math.max(run.endSegment, endSegment);
        run.ranges.push(range);
      } else runs.push({ firstSegment, endSegment, ranges: [range] });
    }
    return runs;
  }

  /** Returns the range of the file that segments are in. */
  storedRange(firstSegment: number, endSegment: number): ByteRange {
    return {
      start: this.#headerBytes + firstSegment * STORED_SEGMENT_BYTES,
      end: Math.min(this.#headerBytes + endSegment * STORED_SEGMENT_BYTES, this.#storedBytes),
    };
  }

  /** Returns the ranges of the decrypted data that a range of the plaintext consists of. */
  #keptParts({ start, end }: ByteRange): readonly ByteRange[] {
    const parts: ByteRange[] = [];
    const first = Math.max(0, firstIndex(this.#offsets.length, (index) => (this.#offsets[index] ?? 0) > start) - 1);
    for (let index = first; (this.#offsets[index] ?? end) < end; index++) {
      const kept = this.#kept[index] ?? { start: 0, end: 0 };
      const shift = kept.start - (this.#offsets[index] ?? 0);
      const part = { start: Math.max(kept.start, start + shift), end: Math.min(kept.end, end + shift) };
      if (part.start < part.end) parts.push(part);
    }
    return parts;
  }
}

/** Returns the ranges with an end of the last one. Throws `Crypt4ghError` TRUNCATED if the decrypted data ends before the ranges do. */
function clipKept(kept: readonly ByteRange[], size: number, offset: number): readonly ByteRange[] {
  const clipped = kept.map(({ start, end }) => ({ start, end: end === Number.POSITIVE_INFINITY ? size : end }));
  const last = clipped.at(-1);
  if (last !== undefined) checkKeptEnd(Math.max(last.start, last.end), size, offset);
  return clipped.filter(({ start, end }) => start < end);
}
