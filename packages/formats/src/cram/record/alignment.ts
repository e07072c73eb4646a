import { type FormatError, invalidData } from '../../format-error.js';
import { type AlignedReference, baseAt } from '../reference/reference-window.js';
import type { NumberSeries } from '../slice/buffered-series.js';
import { FEATURE, MATRIX_ROWS, SUBSTITUTIONS, takesNoBase } from '../slice/read-feature.js';
import type { RecordHead, RecordSource } from '../slice/record-head.js';
import type { ArrayReader } from '../slice/value-reader.js';
import { CIGAR, CigarBuilder } from './cigar.js';
import { DecodedRead, type WantedParts } from './decoded-read.js';
import { MismatchText } from './mismatch-text.js';

const MAX_POSITION = 2 ** 31 - 1;

const BASE_N = 0x4e;

/** Decodes the features of the records of a slice (CRAM 3.1 §10.6) to bases, qualities, a CIGAR, MD and NM. */
export class AlignmentDecoder {
  /** The bases, qualities and substitutions of the last record. */
  readonly read: DecodedRead;
  readonly cigar: CigarBuilder;
  readonly mismatches: MismatchText = new MismatchText();
  /** The last position on the reference that the record covers, 1-based; its start if it covers none. */
  last = 0;
  readonly #source: RecordSource;
  #reference: AlignedReference | undefined;
  #head: RecordHead;
  /** 0-based: the next base of the read, the next position on the reference, and the place of the current feature. */
  #nextBase = 0;
  #nextPosition = 0;
  #place = 0;

  constructor(source: RecordSource, head: RecordHead, wanted: WantedParts) {
    this.#source = source;
    this.read = new DecodedRead(source, wanted);
    this.#head = head;
    this.cigar = new CigarBuilder(source.slice.offset);
  }

  /** Starts a record that has no alignment. */
  startRecord(): void {
    this.read.start(this.#head);
    this.cigar.start();
    this.last = this.#head.start;
  }

  /** Decodes the features of the record, also to MD and NM if they are wanted. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
  decode(reference: AlignedReference | undefined, wantsMismatches: boolean): void {
    const { length, start, referenceId } = this.#head;
    if (start <= 0) throw this.#invalid('mapped record lacks a position');
    this.#reference = reference;
    if (reference === undefined) this.read.clearBases();
    else this.mismatches.start(wantsMismatches);
    this.#nextBase = 0;
    this.#nextPosition = start - 1;
    this.#decodeFeatures();
    if (length > this.#nextBase) {
      const isPlaced = referenceId >= 0;
      const { cigar } = this;
      if (isPlaced) this.#addMatches(length - this.#nextBase);
      else cigar.add(CIGAR.match, length - this.#nextBase);
    } else if (length > 0 && this.#nextBase > length)
      throw this.#invalid('features cover more bases than the record has');
    this.cigar.flush();
    if (reference !== undefined) this.mismatches.flush();
    if (this.#nextPosition > MAX_POSITION) throw this.#invalid(`position ${this.#nextPosition} has more than 31 bits`);
    this.last = Math.max(this.#nextPosition, start);
  }

  #decodeFeatures(): void {
    const { slice, series } = this.#source;
    const { numbers, bytes } = series;
    const { length } = this.#head;
    const count = numbers.FN.read();
    if (count < 0) throw this.#invalid(`${count} is not a valid count of features`);
    slice.budget.spendSteps(count, slice.offset);
    let place = -1;
    for (let feature = 0; feature < count; feature++) {
      const code = bytes.FC.read();
      place += numbers.FP.read();
      if (place < 0) throw this.#invalid('feature is before the start of its record');
      if (length > 0 && place >= length && !(place === length && takesNoBase(code))) {
        throw this.#invalid('feature is past the end of its record');
      }
      if (place > this.#nextBase) this.#addMatches(place - this.#nextBase);
      this.#place = place;
      this.#decodeFeature(code);
    }
  }

  #decodeFeature(code: number): void {
    const { numbers, bytes, arrays } = this.#source.series;
    switch (code) {
      case FEATURE.substitution:
        this.#substitute(bytes.BS.read());
        break;
      case FEATURE.softClip:
        this.#addSoftClip(this.#readLetters(arrays.SC));
        break;
      case FEATURE.insertion:
        this.#addInsertion(this.#readLetters(arrays.IN));
        break;
      case FEATURE.insertedBase:
        this.read.setBase(this.#place, bytes.BA.read());
        this.#addInsertion(1);
        break;
      case FEATURE.deletion:
        this.#addDeletion(this.#readLength(numbers.DL));
        break;
      case FEATURE.skip: {
        const length = this.#readLength(numbers.RS);
        this.cigar.add(CIGAR.skip, length);
        this.#nextPosition += length;
        break;
      }
      case FEATURE.padding:
        this.cigar.add(CIGAR.padding, this.#readLength(numbers.PD));
        break;
      case FEATURE.hardClip:
        this.cigar.add(CIGAR.hardClip, this.#readLength(numbers.HC));
        break;
      case FEATURE.bases:
        this.#addBases(this.#readLetters(arrays.BB), arrays.BB);
        break;
      case FEATURE.baseAndQuality:
        this.#addBase(bytes.BA.read());
        this.read.setQuality(this.#place, bytes.QS.read());
        break;
      case FEATURE.quality:
        this.read.setQuality(this.#place, bytes.QS.read());
        break;
      case FEATURE.qualities:
        this.cigar.add(CIGAR.match, 0);
        this.#readQualities(arrays.QQ);
        break;
      default:
        throw this.#invalid(`unknown feature code ${code}`);
    }
  }

  /** Adds bases that match the reference. Hot. */
  #addMatches(count: number): void {
    const reference = this.#reference;
    if (reference !== undefined) {
      const { window } = reference;
      const inside = this.#countInside(reference, count);
      const offset = this.#nextPosition - window.start;
      if (this.read.hasBases) {
        const { bases } = this.read;
        const nextBase = this.#nextBase;
        bases.copy(nextBase, window.view, offset, inside);
        if (inside < count) bases.fill(BASE_N, nextBase + inside, nextBase + count);
      } else if (this.#head.length === 0) this.#spend(inside);
      if (inside === count) this.mismatches.addMatches(window, offset, count);
      else this.mismatches.addBeyondEnd(count);
    }
    this.cigar.add(CIGAR.match, count);
    this.#nextBase += count;
    this.#nextPosition += count;
  }

  #substitute(code: number): void {
    if (code < 0 || code >= SUBSTITUTIONS) throw this.#invalid(`unknown code ${code} of a substitution`);
    const reference = this.#reference;
    let row = MATRIX_ROWS[BASE_N] ?? 0;
    let expected: number | undefined;
    if (reference !== undefined) {
      if (this.#nextPosition >= reference.length) this.mismatches.endReference();
      else {
        expected = baseAt(reference.window, this.#nextPosition) ?? BASE_N;
        row = MATRIX_ROWS[expected] ?? 0;
        this.mismatches.addMismatch(expected);
      }
    }
    const base = this.#source.compression.substitutions[SUBSTITUTIONS * row + code] ?? 0;
    this.read.setBase(this.#place, base);
    if (expected !== undefined) this.read.addSubstitution(this.#place, base, expected);
    this.#advance(1);
  }

  /** Adds bases that are stored as they are. As in htslib, all of them count as mismatches. */
  #addBases(count: number, { bytes, start }: ArrayReader): void {
    for (let i = 0; i < count; i++) this.#compare(this.#nextPosition + i, this.#place + i, bytes[start + i] ?? 0);
    this.#advance(count);
  }

  /** Adds a base that is stored as it is. */
  #addBase(base: number): void {
    this.read.setBase(this.#place, base);
    this.#compare(this.#nextPosition, this.#place, base);
    this.#advance(1);
  }

  /** Counts a stored base as a mismatch, unless it is past the end of the reference. */
  #compare(position: number, place: number, base: number): void {
    const reference = this.#reference;
    if (reference === undefined) return;
    if (position >= reference.length) {
      this.mismatches.endReference();
      return;
    }
    const expected = baseAt(reference.window, position);
    if (expected === undefined) throw this.#beyondSlice();
    this.mismatches.addMismatch(expected);
    this.read.addSubstitution(place, base, expected);
  }

  #addDeletion(count: number): void {
    const reference = this.#reference;
    if (reference !== undefined) {
      const { window } = reference;
      const inside = this.#countInside(reference, count);
      const offset = this.#nextPosition - window.start;
      this.#spend(inside);
      this.mismatches.addDeletion(window.bases, offset, inside, count - inside);
    }
    this.cigar.add(CIGAR.deletion, count);
    this.#nextPosition += count;
  }

  #addInsertion(count: number): void {
    this.cigar.add(CIGAR.insertion, count);
    this.mismatches.nm += count;
    this.#nextBase += count;
  }

  #addSoftClip(count: number): void {
    this.cigar.addSoftClip(count);
    this.#nextBase += count;
  }

  #advance(count: number): void {
    this.cigar.add(CIGAR.match, count);
    this.#nextBase += count;
    this.#nextPosition += count;
  }

  /** Reads bases that are stored as they are, and returns their count. */
  #readLetters(reader: ArrayReader): number {
    const count = this.#readArray(reader);
    this.read.setBases(this.#place, reader, count);
    return count;
  }

  #readQualities(reader: ArrayReader): void {
    const count = this.#readArray(reader);
    this.read.setQualities(this.#place, reader, count);
  }

  /** Reads an array for the bases from the place of the feature on, and returns its length. */
  #readArray(reader: ArrayReader): number {
    const count = reader.read();
    const { length } = this.#head;
    if (length > 0 && count > length - this.#place) throw this.#invalid('feature extends past the end of its record');
    return count;
  }

  /** Returns how many of the next `count` positions are on the reference. Throws if its window lacks one of them. */
  #countInside({ window, length }: AlignedReference, count: number): number {
    const inside = Math.min(count, length - this.#nextPosition);
    if (inside <= 0) return 0;
    const offset = this.#nextPosition - window.start;
    if (offset < 0 || offset + inside > window.bases.length) throw this.#beyondSlice();
    return inside;
  }

  /** Spends the budget for bases of the reference that the length of the read does not bound. */
  #spend(count: number): void {
    const { slice } = this.#source;
    slice.budget.spendBytes(count, slice.offset);
  }

  #readLength(reader: NumberSeries): number {
    const length = reader.read();
    if (length < 0) throw this.#invalid(`${length} is not a valid length of a feature`);
    return length;
  }

  #beyondSlice(): FormatError {
    return this.#invalid('record extends past the reference bases of its slice');
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#source.slice.offset);
  }
}
