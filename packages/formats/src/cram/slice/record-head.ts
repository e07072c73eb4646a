import { type FormatError, invalidData } from '../../format-error.js';
import type { CramCompressionHeader } from '../container/compression-header.js';
import type { SliceSeries } from './slice-series.js';
import type { StoredSlice } from './stored-slice.js';

/** A slice, opened for decoding its records. */
export interface RecordSource {
  readonly slice: StoredSlice;
  readonly compression: CramCompressionHeader;
  readonly series: SliceSeries;
}

/** CRAM flags (CRAM 3.1 §10.1). htslib adds the last one, for a template length that differs from the computed one. */
export const CRAM_FLAG = {
  hasQualities: 1,
  isDetached: 2,
  hasMateDownstream: 4,
  lacksSequence: 8,
  hasTemplateLength: 16,
} as const;

/** The fields of a record before its tags, which `next` replaces by those of the next record (CRAM 3.1 §10.2 to §10.4). */
export class RecordHead {
  flags = 0;
  cramFlags = 0;
  referenceId = -1;
  /** Bases of the read. */
  length = 0;
  /** 1-based. */
  start: number;
  /** The index of the read group in the header; −1 for none. */
  readGroup = -1;
  /** The length of the name that the series RN holds; −1 if the record has none. */
  nameLength = -1;
  /** The mate of a detached record, as it is stored. */
  mateFlags = 0;
  mateReferenceId = -1;
  mateStart = 0;
  /** The template length that is stored; 0 if there is none. */
  templateLength = 0;
  /** Records between this one and its mate; −1 if no mate follows in the slice. */
  mateDistance = -1;
  /** The index of the line of the tag dictionary. */
  tagLine = 0;
  readonly #source: RecordSource;

  constructor(source: RecordSource) {
    this.#source = source;
    this.start = source.slice.header.alignmentStart;
  }

  /** Reads the next record up to its tags. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
  next(): void {
    const { slice, compression, series } = this.#source;
    const { numbers, arrays } = series;
    this.flags = numbers.BF.read();
    this.cramFlags = numbers.CF.read();
    this.referenceId = slice.header.referenceId === -2 ? numbers.RI.read() : slice.header.referenceId;
    if (this.referenceId < -1) throw this.#invalid(`${this.referenceId} is not a valid reference id`);
    this.length = numbers.RL.read();
    if (this.length < 0) throw this.#invalid(`${this.length} is not a valid read length`);
    this.start = numbers.AP.read() + (compression.hasPositionDeltas ? this.start : 0);
    if (this.start !== (this.start | 0)) throw this.#invalid(`position ${this.start} has more than 32 bits`);
    this.readGroup = numbers.RG.read();
    this.nameLength = compression.hasReadNames ? arrays.RN.read() : -1;
    this.#readMate();
    this.tagLine = numbers.TL.read();
  }

  #readMate(): void {
    const { numbers, arrays } = this.#source.series;
    this.mateFlags = 0;
    this.mateReferenceId = -1;
    this.mateStart = 0;
    this.templateLength = 0;
    this.mateDistance = -1;
    if ((this.cramFlags & CRAM_FLAG.isDetached) !== 0) {
      this.mateFlags = numbers.MF.read();
      if (this.nameLength === -1) this.nameLength = arrays.RN.read();
      this.mateReferenceId = numbers.NS.read();
      this.mateStart = numbers.NP.read();
      this.templateLength = numbers.TS.read();
      return;
    }
    if ((this.cramFlags & CRAM_FLAG.hasMateDownstream) !== 0) {
      this.mateDistance = numbers.NF.read();
      if (this.mateDistance < 0) throw this.#invalid(`${this.mateDistance} is not a valid distance to a mate`);
    }
    if ((this.cramFlags & CRAM_FLAG.hasTemplateLength) !== 0) this.templateLength = numbers.TS.read();
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#source.slice.offset);
  }
}
