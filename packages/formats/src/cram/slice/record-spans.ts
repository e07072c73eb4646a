import { type FormatError, invalidData } from '../../format-error.js';
import { CRAM_FLAG, RecordHead, type RecordSource } from './record-head.js';

/** Receives the place of each record of a slice, in order. Positions are 1-based and inclusive, as in CRAM. */
export type VisitRecord = (referenceId: number, start: number, last: number) => void;

/** The BAM flag of an unmapped record. */
const UNMAPPED = 4;
/**
 * Decodes the positions of the records of a slice (CRAM 3.1 §10), and nothing else of them. Throws `FormatError`
 * `INVALID_DATA` and `TRUNCATED` for corrupt data, `LIMIT_EXCEEDED` beyond the budget.
 */
export function visitRecordSpans(source: RecordSource, visit: VisitRecord): void {
  const { slice } = source;
  const head = new RecordHead(source);
  const skipper = new RecordSkipper(source);
  for (let record = 0; record < slice.header.recordCount; record++) {
    slice.budget.spendSteps(1, slice.offset);
    head.next();
    visit(head.referenceId, head.start, skipper.skip(head));
  }
}

/** Skips the rest of records whose heads were read. */
export class RecordSkipper {
  readonly #source: RecordSource;

  constructor(source: RecordSource) {
    this.#source = source;
  }

  /** Skips what follows the head of a record, and returns the last position that the record covers, or else its start. */
  skip({ flags, cramFlags, referenceId, length, start, tagLine }: RecordHead): number {
    const { numbers, bytes } = this.#source.series;
    this.#skipTags(tagLine);
    let last = start;
    if ((flags & UNMAPPED) === 0) {
      if (start <= 0) throw this.#invalid('mapped record lacks a position');
      last = this.#decodeFeatures(start, length, referenceId >= 0);
      numbers.MQ.read();
    } else bytes.BA.skip(length);
    if ((cramFlags & CRAM_FLAG.hasQualities) !== 0) bytes.QS.skip(length);
    return Math.max(start, last);
  }

  #skipTags(line: number): void {
    const { compression, series } = this.#source;
    if (series.tags.size === 0) return;
    const tags = compression.tagLines[line];
    if (tags === undefined)
      throw this.#invalid(
        `record refers to line ${line} of the tag dictionary, which has ${compression.tagLines.length}`,
      );
    this.#step(tags.length);
    for (const tag of tags) series.tags.get(tag)?.skip();
  }

  /** Decodes the features of a record, and returns its last position. Bases without a feature match the reference. */
  #decodeFeatures(start: number, length: number, isPlaced: boolean): number {
    const { numbers, bytes } = this.#source.series;
    const count = numbers.FN.read();
    // `nextBase` counts bases of the read from 1; `last` is the last position on the reference that is covered so far.
    let nextBase = 1;
    let last = start - 1;
    let position = 0;
    for (let feature = 0; feature < count; feature++) {
      this.#step(1);
      const code = bytes.FC.read();
      position += numbers.FP.read();
      if (position <= 0) throw this.#invalid('feature is before the start of its record');
      if (position > nextBase) {
        if (length > 0 && position > length + 1) throw this.#invalid('feature is past the end of its record');
        last += position - nextBase;
        nextBase = position;
      }
      const { bases, positions } = this.#decodeFeature(code);
      nextBase += bases;
      last += positions;
    }
    return isPlaced && length >= nextBase ? last + length - nextBase + 1 : last;
  }

  /** Decodes a feature (CRAM 3.1 §10.6), and returns how many bases and positions it covers. */
  #decodeFeature(code: number): Advance {
    const { numbers, bytes, arrays } = this.#source.series;
    switch (String.fromCharCode(code)) {
      case 'b':
        return matching(arrays.BB.skip());
      case 'B':
        bytes.BA.skip(1);
        bytes.QS.skip(1);
        return ONE_MATCH;
      case 'X':
        bytes.BS.skip(1);
        return ONE_MATCH;
      case 'I':
        return { bases: arrays.IN.skip(), positions: 0 };
      case 'i':
        bytes.BA.skip(1);
        return { bases: 1, positions: 0 };
      case 'S':
        return { bases: arrays.SC.skip(), positions: 0 };
      case 'D':
        return { bases: 0, positions: numbers.DL.read() };
      case 'N':
        return { bases: 0, positions: numbers.RS.read() };
      case 'P':
        numbers.PD.read();
        return NOWHERE;
      case 'H':
        numbers.HC.read();
        return NOWHERE;
      case 'q':
        arrays.QQ.skip();
        return NOWHERE;
      case 'Q':
        bytes.QS.skip(1);
        return NOWHERE;
      default:
        throw this.#invalid(`unknown feature code ${code}`);
    }
  }

  #step(count: number): void {
    this.#source.slice.budget.spendSteps(count, this.#source.slice.offset);
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#source.slice.offset);
  }
}

/** The number of bases of the read and of positions on the reference that a feature covers. */
interface Advance {
  readonly bases: number;
  readonly positions: number;
}

const NOWHERE: Advance = { bases: 0, positions: 0 };
const ONE_MATCH: Advance = matching(1);

function matching(count: number): Advance {
  return { bases: count, positions: count };
}
