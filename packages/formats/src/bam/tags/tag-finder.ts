import { cigarTagStart, type RecordData, recordEnd, tagsStart } from '../record-fields.js';
import { type AlignmentTagValue, parseTagValue } from './tag-values.js';
import { bamTagCode, bamTagCodeAt, bamTagEnd } from './tags.js';

/** The maximum number of tags of a record whose offsets are kept. */
const MAX_KEPT = 64;
const CIGAR_TAG = bamTagCode('CG');

/**
 * Finds tags by their names. The offsets of tags that were passed are kept until another record is searched: reading five tags
 * of each record takes 0.7 of the time of a walk for each of them.
 */
export class TagFinder {
  #data: RecordData | undefined;
  #recordStart = 0;
  #tagsStart = 0;
  #tagsEnd = 0;
  #count = 0;
  readonly #codes = new Uint16Array(MAX_KEPT);
  /** The ends of the kept tags, from the start of the record on. */
  readonly #ends = new Uint32Array(MAX_KEPT);

  /** Forgets the record, whose bytes may change before the next search. */
  forget(): void {
    this.#data = undefined;
  }

  /**
   * Returns the value of a tag of the record at `recordStart`; undefined without that tag, and for the tag CG that holds the
   * CIGAR. Throws `FormatError` `INVALID_DATA` if that tag or one before it is malformed.
   */
  find(data: RecordData, recordStart: number, name: string): AlignmentTagValue | undefined {
    if (data !== this.#data || recordStart !== this.#recordStart) this.#enter(data, recordStart);
    const { view } = data;
    const code = bamTagCode(name);
    const cigarTag = code === CIGAR_TAG ? cigarTagStart(view, recordStart) : -1;
    const codes = this.#codes;
    const ends = this.#ends;
    let at = this.#tagsStart;
    let count = 0;
    for (; count < this.#count; count++) {
      const end = recordStart + (ends[count] ?? 0);
      if (codes[count] === code && at !== cigarTag) return parseTagValue(data, at, end);
      at = end;
    }
    while (at < this.#tagsEnd) {
      const end = bamTagEnd(view, at, this.#tagsEnd);
      const found = bamTagCodeAt(view, at);
      if (count < MAX_KEPT) {
        codes[count] = found;
        ends[count] = end - recordStart;
        this.#count = ++count;
      }
      if (found === code && at !== cigarTag) return parseTagValue(data, at, end);
      at = end;
    }
    return undefined;
  }

  #enter(data: RecordData, recordStart: number): void {
    this.#data = data;
    this.#recordStart = recordStart;
    this.#tagsEnd = recordEnd(data.view, recordStart);
    this.#count = 0;
    this.#tagsStart = tagsStart(data.view, recordStart);
  }
}
