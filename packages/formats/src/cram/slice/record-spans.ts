import { type FormatError, invalidData } from '../../format-error.js';
import { FEATURE } from './read-feature.js';
import { CRAM_FLAG, RecordHead, type RecordSource } from './record-head.js';
import type { ArrayReader } from './value-reader.js';

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
  /** The next base of the read, from 1 on, and the last position on the reference that is covered so far. */
  #nextBase = 1;
  #last = 0;
  /** The readers of the tags of each line of the dictionary that was found. */
  readonly #lines: (readonly ArrayReader[] | undefined)[] = [];

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
    if (this.#source.series.tags.size === 0) return;
    const tags = this.#lines[line] ?? this.#openLine(line);
    this.#step(tags.length);
    for (const tag of tags) tag.skip();
  }

  /** Returns the readers of the tags of a line of the dictionary. */
  #openLine(line: number): readonly ArrayReader[] {
    const { compression, series } = this.#source;
    const keys = compression.tagLines[line];
    if (keys === undefined) {
      throw this.#invalid(
        `record refers to line ${line} of the tag dictionary, which has ${compression.tagLines.length}`,
      );
    }
    const tags = keys.flatMap((key) => series.tags.get(key) ?? []);
    this.#lines[line] = tags;
    return tags;
  }

  /** Decodes the features of a record, and returns its last position. Bases without a feature match the reference. */
  #decodeFeatures(start: number, length: number, isPlaced: boolean): number {
    const { numbers, bytes } = this.#source.series;
    const count = numbers.FN.read();
    if (count < 0) throw this.#invalid(`${count} is not a valid count of features`);
    this.#step(count);
    this.#nextBase = 1;
    this.#last = start - 1;
    let position = 0;
    for (let feature = 0; feature < count; feature++) {
      const code = bytes.FC.read();
      position += numbers.FP.read();
      if (position <= 0) throw this.#invalid('feature is before the start of its record');
      if (position > this.#nextBase) {
        if (length > 0 && position > length + 1) throw this.#invalid('feature is past the end of its record');
        this.#advance(position - this.#nextBase);
      }
      this.#decodeFeature(code);
    }
    if (isPlaced && length >= this.#nextBase) this.#advance(length - this.#nextBase + 1);
    return this.#last;
  }

  /** Decodes a feature (CRAM 3.1 §10.6). */
  #decodeFeature(code: number): void {
    const { numbers, bytes, arrays } = this.#source.series;
    switch (code) {
      case FEATURE.substitution:
        bytes.BS.skip(1);
        this.#advance(1);
        break;
      case FEATURE.softClip:
        this.#nextBase += arrays.SC.skip();
        break;
      case FEATURE.insertion:
        this.#nextBase += arrays.IN.skip();
        break;
      case FEATURE.insertedBase:
        bytes.BA.skip(1);
        this.#nextBase += 1;
        break;
      case FEATURE.deletion:
        this.#last += numbers.DL.read();
        break;
      case FEATURE.skip:
        this.#last += numbers.RS.read();
        break;
      case FEATURE.bases:
        this.#advance(arrays.BB.skip());
        break;
      case FEATURE.baseAndQuality:
        bytes.BA.skip(1);
        bytes.QS.skip(1);
        this.#advance(1);
        break;
      case FEATURE.padding:
        numbers.PD.read();
        break;
      case FEATURE.hardClip:
        numbers.HC.read();
        break;
      case FEATURE.qualities:
        arrays.QQ.skip();
        break;
      case FEATURE.quality:
        bytes.QS.skip(1);
        break;
      default:
        throw this.#invalid(`unknown feature code ${code}`);
    }
  }

  #advance(count: number): void {
    this.#nextBase += count;
    this.#last += count;
  }

  #step(count: number): void {
    this.#source.slice.budget.spendSteps(count, this.#source.slice.offset);
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#source.slice.offset);
  }
}
