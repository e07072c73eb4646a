import { FormatError } from '../format-error.js';
import type { CramCompressionHeader } from './compression-header.js';
import type { CramSliceHeader } from './slice-header.js';
import type { SliceSeries } from './slice-series.js';

/** Told where each record of a slice lies, in order. Positions are 1-based and inclusive, as in CRAM. */
export type VisitRecord = (referenceId: number, start: number, last: number) => void;

export interface RecordSource {
  readonly header: CramSliceHeader;
  readonly compression: CramCompressionHeader;
  readonly series: SliceSeries;
  /** Bytes of the file in front of the slice, for errors. */
  readonly offset: number;
}

/** BAM flag of an unmapped record. */
const UNMAPPED = 4;
/** CRAM flags (CRAM 3.1 §10.1). */
const CRAM_FLAG = { hasQualities: 1, isDetached: 2, hasMateDownstream: 4 } as const;

/**
 * Records and features of them in a slice. Constants take no bytes, so that a few could say that there are 2^31; real
 * slices have a hundredth of this.
 */
const MAX_STEPS = 2 ** 26;

/**
 * Decodes where the records of a slice lie (CRAM 3.1 §10), and nothing else. Throws `FormatError` INVALID_DATA and
 * TRUNCATED if the data is corrupt, LIMIT_EXCEEDED for more than 2^26 records and features.
 */
export function visitRecordSpans(source: RecordSource, visit: VisitRecord): void {
  new RecordDecoder(source).decodeAll(visit);
}

class RecordDecoder {
  readonly #source: RecordSource;
  readonly #read: (name: string) => number;
  #position: number;
  #steps = 0;

  constructor(source: RecordSource) {
    this.#source = source;
    this.#position = source.header.alignmentStart;
    const { values } = source.series;
    this.#read = (name) => values.get(name)?.read() ?? 0;
  }

  decodeAll(visit: VisitRecord): void {
    const { recordCount, referenceId } = this.#source.header;
    const { values } = this.#source.series;
    for (const name of referenceId === -2 ? ['BF', 'RI', 'RL', 'AP'] : ['BF', 'RL', 'AP']) {
      if (recordCount > 0 && !values.has(name)) throw this.#invalid(`records have no data series ${name}`);
    }
    for (let record = 0; record < recordCount; record++) this.#decodeRecord(visit);
  }

  #decodeRecord(visit: VisitRecord): void {
    this.#step();
    const read = this.#read;
    const flags = read('BF');
    const cramFlags = read('CF');
    const { header, compression, series } = this.#source;
    const referenceId = header.referenceId === -2 ? read('RI') : header.referenceId;
    if (referenceId < -1) throw this.#invalid(`${referenceId} is no id of a reference`);
    const length = read('RL');
    if (length < 0) throw this.#invalid(`a record has ${length} bases`);
    this.#position = read('AP') + (compression.hasPositionDeltas ? this.#position : 0);
    const start = this.#position;
    read('RG');
    if (compression.hasReadNames) series.arrays.get('RN')?.();
    this.#passMate(cramFlags);
    this.#passTags();
    let last = start;
    if ((flags & UNMAPPED) === 0) {
      if (start <= 0) throw this.#invalid('a mapped record has no position');
      last = this.#decodeFeatures(start, length, referenceId >= 0);
      read('MQ');
    } else series.values.get('BA')?.skip(length);
    if ((cramFlags & CRAM_FLAG.hasQualities) !== 0) series.values.get('QS')?.skip(length);
    visit(referenceId, start, Math.max(start, last));
  }

  #passMate(cramFlags: number): void {
    const read = this.#read;
    const { compression, series } = this.#source;
    if ((cramFlags & CRAM_FLAG.isDetached) !== 0) {
      read('MF');
      if (!compression.hasReadNames) series.arrays.get('RN')?.();
      read('NS');
      read('NP');
      read('TS');
    } else if ((cramFlags & CRAM_FLAG.hasMateDownstream) !== 0) read('NF');
  }

  #passTags(): void {
    const { compression, series } = this.#source;
    if (!series.values.has('TL')) return;
    const tags = compression.tagLines[this.#read('TL')];
    if (tags === undefined && series.tags.size > 0) throw this.#invalid('a record has unknown tags');
    for (const tag of tags ?? []) series.tags.get(tag)?.();
  }

  /** The last position of a record: bases that no feature speaks of match the reference. */
  #decodeFeatures(start: number, length: number, isPlaced: boolean): number {
    const read = this.#read;
    const count = read('FN');
    // Bases of the read, from 1, and positions on the reference that were passed
    let nextBase = 1;
    let last = start - 1;
    let position = 0;
    for (let feature = 0; feature < count; feature++) {
      this.#step();
      const code = read('FC');
      position += read('FP');
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
  #decodeFeature(code: number): { readonly bases: number; readonly positions: number } {
    const read = this.#read;
    const { arrays } = this.#source.series;
    switch (String.fromCharCode(code)) {
      case 'b':
        return matching(arrays.get('BB')?.() ?? 1);
      case 'B':
        read('BA');
        read('QS');
        return matching(1);
      case 'X':
        read('BS');
        return matching(1);
      case 'I':
        return { bases: arrays.get('IN')?.() ?? 1, positions: 0 };
      case 'i':
        read('BA');
        return { bases: 1, positions: 0 };
      case 'S':
        return { bases: arrays.get('SC')?.() ?? 1, positions: 0 };
      case 'D':
        return { bases: 0, positions: read('DL') };
      case 'N':
        return { bases: 0, positions: read('RS') };
      case 'P':
        read('PD');
        return NOWHERE;
      case 'H':
        read('HC');
        return NOWHERE;
      case 'q':
        arrays.get('QQ')?.();
        return NOWHERE;
      case 'Q':
        read('QS');
        return NOWHERE;
      default:
        throw this.#invalid(`${code} is no feature`);
    }
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) {
      const message = `a slice has more than ${MAX_STEPS} records and features`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: this.#source.offset });
    }
  }

  #invalid(message: string): FormatError {
    return new FormatError('INVALID_DATA', message, { offset: this.#source.offset });
  }
}

const NOWHERE = { bases: 0, positions: 0 };

function matching(count: number): { readonly bases: number; readonly positions: number } {
  return { bases: count, positions: count };
}
