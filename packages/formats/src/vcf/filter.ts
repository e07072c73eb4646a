import { decodeText } from '@htskit/io';
import { findByte } from '#find-byte';
import { FormatError, invalidData, relocateError } from '../format-error.js';
import {
  type BaseInterval,
  type BaseIntervals,
  createRecordFilter,
  groupIntervals,
  isPastAll,
  type RecordFilter,
} from '../records/record-filter.js';
import type { RecordLimits } from '../records/record-splitter.js';
import { contentEnd, isRecordLine, parseVcfRecordSpan, VCF_LAYOUT } from './record.js';

/** Bases [start, end) of one contig, 0-based. */
export interface VcfInterval extends BaseInterval {
  /** The name of the contig in the column CHROM. */
  readonly referenceName: string;
}

const TAB = 0x09;
const LESS = 0x3c;
const [ZERO, NINE] = [0x30, 0x39];
/** "END=" */
const [E, N, D, EQUALS] = [0x45, 0x4e, 0x44, 0x3d];
const END_KEY = Uint8Array.of(E, N, D, EQUALS);
/** The index of each byte in "END="; 4 for other bytes. */
const END_INDEXES = Uint8Array.from({ length: 256 }, (_, byte) => (END_KEY.includes(byte) ? END_KEY.indexOf(byte) : 4));

/**
 * Creates a filter of uncompressed VCF lines, without the header, that keeps the records that overlap an interval. A
 * record covers the span that `parseVcfRecordSpan` returns. Lines end with LF or CRLF, the last one optionally with the data, and
 * are kept unchanged. Blank lines and lines that start with `#` are dropped.
 *
 * @example
 * ```ts
 * import { createVcfFilter, parseVcfHeader } from '@htskit/formats';
 *
 * export function linesOfRegion(data: Uint8Array): Uint8Array[] {
 *   const { byteLength } = parseVcfHeader(data);
 *   const filter = createVcfFilter([{ referenceName: 'chr1', start: 20_000, end: 20_100 }]);
 *   return [...filter.push(data.subarray(byteLength)), ...filter.finish()];
 * }
 * ```
 */
export function createVcfFilter(intervals: readonly VcfInterval[], limits: RecordLimits = {}): RecordFilter {
  const intervalsByName = groupIntervals(intervals, ({ referenceName }) => referenceName);
  const contig = new ContigLookup(intervalsByName);
  return createRecordFilter({
    ...VCF_LAYOUT,
    limits,
    isPast: () => isPastAll(intervalsByName),
    keeps: (bytes, at, end) => contig.enter(bytes, at, end) && overlaps({ bytes, at, end }, contig),
  });
}

/** The line in [at, end). */
interface Line {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly end: number;
}

/** Returns whether a record line overlaps an interval of its contig. */
function overlaps({ bytes, at, end }: Line, { intervals, nameLength }: ContigLookup): boolean {
  if (intervals === undefined) return false;
  const start = readBaseStart(bytes, at + nameLength + 1);
  const interval = intervals.firstEndingAfter(start);
  if (interval === undefined) return false;
  if (interval.start <= start) return true;
  // The columns are read only if the record could reach the interval, by REF, END or a symbolic allele: 3 times as fast for
  // short lines.
  const isShort = start + end - at <= interval.start && !hasEndKey(bytes, at, end);
  if (isShort && !bytes.subarray(at, end).includes(LESS)) return false;
  return interval.start < readBaseEnd({ bytes, at, end });
}

/** Looks up the intervals of a line's contig, which is mostly that of the line before. */
class ContigLookup {
  readonly #byName: ReadonlyMap<string, BaseIntervals>;
  #name = new Uint8Array(0);
  /** The intervals of the entered contig; undefined if it has none. */
  intervals: BaseIntervals | undefined;

  constructor(byName: ReadonlyMap<string, BaseIntervals>) {
    this.#byName = byName;
  }

  /** Bytes of the name of the entered contig. */
  get nameLength(): number {
    return this.#name.length;
  }

  /** Enters the contig of the line [at, end). Returns false if the line is not a record. Throws if it has no CHROM. */
  enter(bytes: Uint8Array, at: number, end: number): boolean {
    if (this.#isEntered(bytes, at)) return true;
    if (!isRecordLine(bytes, at, end)) return false;
    const nameLength = findByte(bytes.subarray(at, end), TAB, 0);
    if (nameLength < 1) throw invalidData('record does not start with CHROM and POS', at);
    this.#name = bytes.slice(at, at + nameLength);
    this.intervals = this.#byName.get(decodeText(this.#name));
    return true;
  }

  #isEntered(bytes: Uint8Array, at: number): boolean {
    const name = this.#name;
    for (let i = 0; i < name.length; i++) {
      if (bytes[at + i] !== name[i]) return false;
    }
    return name.length > 0 && bytes[at + name.length] === TAB;
  }
}

/** Returns the 0-based start from the column POS at `at`, which must end with a tab. POS 0, a telomere, counts as 0. */
function readBaseStart(bytes: Uint8Array, at: number): number {
  let position = 0;
  let end = at;
  let byte = bytes[end] ?? 0;
  while (byte >= ZERO && byte <= NINE) {
    position = position * 10 + byte - ZERO;
    byte = bytes[++end] ?? 0;
  }
  if (end === at || byte !== TAB || !Number.isSafeInteger(position)) throw invalidData('POS is not an integer', at);
  return Math.max(0, position - 1);
}

/** Returns whether "END=" occurs in the line [at, end). Every fourth byte is checked: each occurrence covers one of them. */
function hasEndKey(bytes: Uint8Array, at: number, end: number): boolean {
  for (let fourth = at; fourth < end; fourth += END_KEY.length) {
    const index = END_INDEXES[bytes[fourth] ?? 0] ?? 0;
    if (index < END_KEY.length && startsWithEndKey(bytes, fourth - index)) return true;
  }
  return false;
}

function startsWithEndKey(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === E && bytes[at + 1] === N && bytes[at + 2] === D && bytes[at + 3] === EQUALS;
}

/** Returns the end of the bases that a line covers. */
function readBaseEnd({ bytes, at, end }: Line): number {
  try {
    return parseVcfRecordSpan(bytes.subarray(at, contentEnd(bytes, at, end))).baseEnd;
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, at) : error;
  }
}
