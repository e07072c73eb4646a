import { type BaseInterval, type BaseIntervals, groupIntervals } from '../base-intervals.js';
import { FormatError } from '../format-error.js';
import { RecordFilter, type RecordFiltering, type RecordReader } from '../record-filter.js';
import { relocateError } from '../relocate-error.js';
import { contentEnd, countMissingOfLine, isRecordLine, lineEnd } from './line.js';
import { parseVcfRecordSpan } from './record.js';

/** Bases [start, end) of one contig, 0-based; `referenceName` is its name in the column CHROM. */
export interface VcfInterval extends BaseInterval {
  readonly referenceName: string;
}

const TAB = 0x09;
const [ZERO, NINE] = [0x30, 0x39];
/** "END=" */
const [E, N, D, EQUALS] = [0x45, 0x4e, 0x44, 0x3d];
const END_KEY = Uint8Array.of(E, N, D, EQUALS);
/** By byte, its rank in "END="; 4 for any other. */
const END_RANKS = Uint8Array.from({ length: 256 }, (_, byte) => (END_KEY.includes(byte) ? END_KEY.indexOf(byte) : 4));

// Not fatal: names of the header are read alike.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Keeps the lines of records that overlap any of some intervals, from uncompressed VCF without its header that comes in pieces
 * cut anywhere. How far a record reaches is what `parseVcfRecordSpan` says. Lines end with LF or CRLF, the last one may end
 * with the data; they are kept as they are. Blank lines, and those that begin with `#`, are no records and never kept.
 */
export class VcfRecordFilter extends RecordFilter {
  constructor(intervals: readonly VcfInterval[]) {
    super(new VcfFiltering(intervals));
  }
}

class VcfFiltering implements RecordFiltering {
  readonly countMissing = countMissingOfLine;
  readonly isEndedByData = true;
  readonly #contigs: Contigs;

  constructor(intervals: readonly VcfInterval[]) {
    this.#contigs = new Contigs(groupIntervals(intervals, ({ referenceName }) => referenceName));
  }

  read(bytes: Uint8Array): RecordReader {
    return new VcfReader(bytes, this.#contigs);
  }
}

class VcfReader implements RecordReader {
  readonly #bytes: Uint8Array;
  readonly #contigs: Contigs;

  constructor(bytes: Uint8Array, contigs: Contigs) {
    this.#bytes = bytes;
    this.#contigs = contigs;
  }

  recordEnd(at: number): number | undefined {
    return lineEnd(this.#bytes, at);
  }

  keeps(at: number, end: number): boolean {
    const bytes = this.#bytes;
    const contigs = this.#contigs;
    if (!contigs.enter(bytes, at, end)) return false;
    const { intervals, nameLength } = contigs;
    if (intervals === undefined) return false;
    const start = readBaseStart(bytes, at + nameLength + 1);
    const interval = intervals.firstEndingAfter(start);
    if (interval === undefined) return false;
    if (interval.start <= start) return true;
    // Columns are told apart only where REF may reach so far, or END may be among them: short lines go 3 times as fast
    if (start + end - at <= interval.start && !hasEndKey(bytes, at, end)) return false;
    return interval.start < readBaseEnd(bytes, at, end);
  }
}

/** Finds the intervals of a line's contig, which is mostly that of the line before. */
class Contigs {
  readonly #byName: ReadonlyMap<string, BaseIntervals>;
  #name = new Uint8Array(0);
  /** Of the contig that was entered; undefined if it has none. */
  intervals: BaseIntervals | undefined;

  constructor(byName: ReadonlyMap<string, BaseIntervals>) {
    this.#byName = byName;
  }

  /** Bytes of the name of the contig that was entered. */
  get nameLength(): number {
    return this.#name.length;
  }

  /** Enters the contig of the line [at, end); returns false for a line that is no record. Throws INVALID_DATA without a name. */
  enter(bytes: Uint8Array, at: number, end: number): boolean {
    if (this.#isEntered(bytes, at)) return true;
    if (!isRecordLine(bytes, at, end)) return false;
    const nameLength = bytes.subarray(at, end).indexOf(TAB);
    if (nameLength < 1) throw new FormatError('INVALID_DATA', 'a record begins with CHROM and POS', { offset: at });
    this.#name = bytes.slice(at, at + nameLength);
    this.intervals = this.#byName.get(decoder.decode(this.#name));
    return true;
  }

  #isEntered(bytes: Uint8Array, at: number): boolean {
    const name = this.#name;
    for (let rank = 0; rank < name.length; rank++) {
      if (bytes[at + rank] !== name[rank]) return false;
    }
    return name.length > 0 && bytes[at + name.length] === TAB;
  }
}

/** 0-based, of the column POS at `at`, which a tab ends. A telomere, POS 0, counts as 0. */
function readBaseStart(bytes: Uint8Array, at: number): number {
  let position = 0;
  let end = at;
  let byte = bytes[end] ?? 0;
  while (byte >= ZERO && byte <= NINE) {
    position = position * 10 + byte - ZERO;
    byte = bytes[++end] ?? 0;
  }
  if (end === at || byte !== TAB || !Number.isSafeInteger(position)) {
    throw new FormatError('INVALID_DATA', 'POS is no number', { offset: at });
  }
  return Math.max(0, position - 1);
}

/** Whether "END=" stands anywhere in the line [at, end): then every fourth byte meets one of its bytes. */
function hasEndKey(bytes: Uint8Array, at: number, end: number): boolean {
  for (let fourth = at; fourth < end; fourth += END_KEY.length) {
    const rank = END_RANKS[bytes[fourth] ?? 0] ?? 0;
    if (rank < END_KEY.length && startsWithEndKey(bytes, fourth - rank)) return true;
  }
  return false;
}

function startsWithEndKey(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === E && bytes[at + 1] === N && bytes[at + 2] === D && bytes[at + 3] === EQUALS;
}

function readBaseEnd(bytes: Uint8Array, at: number, end: number): number {
  try {
    return parseVcfRecordSpan(bytes.subarray(at, contentEnd(bytes, at, end))).baseEnd;
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, at) : error;
  }
}
