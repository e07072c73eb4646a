import { FormatError } from '../format-error.js';
import type { CramCompressionHeader } from './compression-header.js';
import type { CramDecodeBudget } from './decode-budget.js';
import type { CramSliceHeader } from './slice-header.js';
import type { SliceSeries } from './slice-series.js';

/** Told where each record of a slice lies, in order. Positions are 1-based and inclusive, as in CRAM. */
export type VisitRecord = (referenceId: number, start: number, last: number) => void;

export interface RecordSource {
  readonly header: CramSliceHeader;
  readonly compression: CramCompressionHeader;
  readonly series: SliceSeries;
  readonly budget: CramDecodeBudget;
  /** Bytes of the file in front of the slice, for errors. */
  readonly offset: number;
}

/** BAM flag of an unmapped record. */
const UNMAPPED = 4;
/** CRAM flags (CRAM 3.1 §10.1). */
const CRAM_FLAG = { hasQualities: 1, isDetached: 2, hasMateDownstream: 4 } as const;

/**
 * Decodes where the records of a slice lie (CRAM 3.1 §10), and nothing else. Throws `FormatError` INVALID_DATA and
 * TRUNCATED if the data is corrupt, LIMIT_EXCEEDED beyond the budget.
 */
export function visitRecordSpans(source: RecordSource, visit: VisitRecord): void {
  new RecordDecoder(source).decodeAll(visit);
}

class RecordDecoder {
  readonly #source: RecordSource;
  #position: number;

  constructor(source: RecordSource) {
    this.#source = source;
    this.#position = source.header.alignmentStart;
  }

  decodeAll(visit: VisitRecord): void {
    const { recordCount, referenceId } = this.#source.header;
    const { opened } = this.#source.series;
    for (const name of referenceId === -2 ? ['BF', 'RI', 'RL', 'AP'] : ['BF', 'RL', 'AP']) {
      if (recordCount > 0 && !opened.has(name)) throw this.#invalid(`records have no data series ${name}`);
    }
    for (let record = 0; record < recordCount; record++) this.#decodeRecord(visit);
  }

  #decodeRecord(visit: VisitRecord): void {
    this.#step(1);
    const { header, compression, series } = this.#source;
    const { numbers, bytes } = series;
    const flags = numbers.BF.read();
    const cramFlags = numbers.CF.read();
    const referenceId = header.referenceId === -2 ? numbers.RI.read() : header.referenceId;
    if (referenceId < -1) throw this.#invalid(`${referenceId} is no id of a reference`);
    const length = numbers.RL.read();
    if (length < 0) throw this.#invalid(`a record has ${length} bases`);
    this.#position = numbers.AP.read() + (compression.hasPositionDeltas ? this.#position : 0);
    const start = this.#position;
    numbers.RG.read();
    if (compression.hasReadNames) series.arrays.RN();
    this.#passMate(cramFlags);
    this.#passTags();
    let last = start;
    if ((flags & UNMAPPED) === 0) {
      if (start <= 0) throw this.#invalid('a mapped record has no position');
      last = this.#decodeFeatures(start, length, referenceId >= 0);
      numbers.MQ.read();
    } else bytes.BA.skip(length);
    if ((cramFlags & CRAM_FLAG.hasQualities) !== 0) bytes.QS.skip(length);
    visit(referenceId, start, Math.max(start, last));
  }

  #passMate(cramFlags: number): void {
    const { compression, series } = this.#source;
    const { numbers } = series;
    if ((cramFlags & CRAM_FLAG.isDetached) !== 0) {
      numbers.MF.read();
      if (!compression.hasReadNames) series.arrays.RN();
      numbers.NS.read();
      numbers.NP.read();
      numbers.TS.read();
    } else if ((cramFlags & CRAM_FLAG.hasMateDownstream) !== 0) numbers.NF.read();
  }

  #passTags(): void {
    const { compression, series } = this.#source;
    const line = series.numbers.TL.read();
    if (series.tags.size === 0) return;
    const tags = compression.tagLines[line];
    if (tags === undefined) throw this.#invalid('a record has unknown tags');
    this.#step(tags.length);
    for (const tag of tags) series.tags.get(tag)?.();
  }

  /** The last position of a record: bases that no feature speaks of match the reference. */
  #decodeFeatures(start: number, length: number, isPlaced: boolean): number {
    const { numbers, bytes } = this.#source.series;
    const count = numbers.FN.read();
    // Bases of the read, from 1, and positions on the reference that were passed
    let nextBase = 1;
    let last = start - 1;
    let position = 0;
    for (let feature = 0; feature < count; feature++) {
      this.#step(1);
      const code = bytes.FC.read();
      position += numbers.FP.read();
      if (position <= 0) throw this.#invalid('a feature lies in front of its record');
      if (position > nextBase) {
        if (position > length + 1) throw this.#invalid('a feature lies behind its record');
        last += position - nextBase;
        nextBase = position;
      }
      const { bases, positions } = this.#decodeFeature(code);
      nextBase += bases;
      last += positions;
    }
    return isPlaced && length >= nextBase ? last + length - nextBase + 1 : last;
  }

  /** How far a feature (CRAM 3.1 §10.6) leads on in the read and on the reference. */
  #decodeFeature(code: number): Advance {
    const { numbers, bytes, arrays } = this.#source.series;
    switch (String.fromCharCode(code)) {
      case 'b':
        return matching(arrays.BB());
      case 'B':
        bytes.BA.skip(1);
        bytes.QS.skip(1);
        return ONE_MATCH;
      case 'X':
        bytes.BS.skip(1);
        return ONE_MATCH;
      case 'I':
        return { bases: arrays.IN(), positions: 0 };
      case 'i':
        bytes.BA.skip(1);
        return { bases: 1, positions: 0 };
      case 'S':
        return { bases: arrays.SC(), positions: 0 };
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
        arrays.QQ();
        return NOWHERE;
      case 'Q':
        bytes.QS.skip(1);
        return NOWHERE;
      default:
        throw this.#invalid(`${code} is no feature`);
    }
  }

  #step(count: number): void {
    this.#source.budget.spendSteps(count, this.#source.offset);
  }

  #invalid(message: string): FormatError {
    return new FormatError('INVALID_DATA', message, { offset: this.#source.offset });
  }
}

/** Bases of the read, and positions on the reference. */
interface Advance {
  readonly bases: number;
  readonly positions: number;
}

const NOWHERE: Advance = { bases: 0, positions: 0 };
const ONE_MATCH: Advance = matching(1);

function matching(count: number): Advance {
  return { bases: count, positions: count };
}
