import { growBytes } from '@htskit/io/internal';
import { type FormatError, invalidData } from '../../format-error.js';
import { CRAM_FLAG, type RecordHead, type RecordSource } from '../slice/record-head.js';
import type { ArrayReader, ValueReader } from '../slice/value-reader.js';
import { CIGAR, CigarBuilder } from './cigar.js';
import { MismatchText } from './mismatch-text.js';
import { FEATURE, MATRIX_ROWS, SUBSTITUTIONS, takesNoBase } from './read-feature.js';
import { type AlignedReference, baseAt } from './reference-window.js';

const MAX_POSITION = 2 ** 31 - 1;
/** Longer stretches of bases are copied by `set`, which is slower for shorter ones. */
const LONG_COPY = 48;

const BASE_N = 0x4e;
const BASE_EQUAL = 0x3d;
/** Qualities of bases that have none, and of those beside stored qualities, as in htslib. */
const NO_QUALITY = 0xff;
const LOSSY_QUALITY = 30;

/** Decodes the features of the records of a slice (CRAM 3.1 §10.6) to bases, qualities, a CIGAR, MD and NM. */
export class AlignmentDecoder {
  /** Bases as letters, and qualities. They belong to the last record. */
  bases: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
  qualities: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
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

  constructor(source: RecordSource, head: RecordHead) {
    this.#source = source;
    this.#head = head;
    this.cigar = new CigarBuilder(source.slice.offset);
  }

  /** Starts a record that has no alignment. */
  startRecord(): void {
    const { length, cramFlags, start } = this.#head;
    if (length > this.bases.length) {
      const options = { keptBytes: 0, byteLength: length, memory: this.#source.slice.memory };
      this.bases = growBytes(this.bases, options);
      this.qualities = growBytes(this.qualities, options);
    }
    if ((cramFlags & CRAM_FLAG.hasQualities) === 0) this.qualities.fill(NO_QUALITY, 0, length);
    this.cigar.start();
    this.last = start;
  }

  /** Decodes the features of the record, also to MD and NM if they are wanted. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
  decode(reference: AlignedReference | undefined, wantsMismatches: boolean): void {
    const { length, start, referenceId } = this.#head;
    if (start <= 0) throw this.#invalid('mapped record lacks a position');
    this.#reference = reference;
    if (reference === undefined) this.bases.fill(BASE_EQUAL, 0, length);
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
        this.#addSoftClip(this.#copyArray(arrays.SC, this.bases));
        break;
      case FEATURE.insertion:
        this.#addInsertion(this.#copyArray(arrays.IN, this.bases));
        break;
      case FEATURE.insertedBase:
        this.#setBase(bytes.BA.read());
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
        this.#addBases(this.#copyArray(arrays.BB, this.bases));
        break;
      case FEATURE.baseAndQuality:
        this.#setBase(bytes.BA.read());
        this.#addBases(1);
        this.#setQuality(bytes.QS.read());
        break;
      case FEATURE.quality:
        this.#setQuality(bytes.QS.read());
        break;
      case FEATURE.qualities:
        this.cigar.add(CIGAR.match, 0);
        if (this.#head.length > 0) this.#startQualities();
        this.#copyArray(arrays.QQ, this.qualities);
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
      if (this.#head.length > 0) {
        const { bases } = this;
        if (inside > LONG_COPY) bases.set(window.bases.subarray(offset, offset + inside), this.#nextBase);
        else {
          const shift = this.#nextBase - offset;
          for (let at = offset; at < offset + inside; at++) bases[shift + at] = window.bases[at] ?? 0;
        }
        if (inside < count) bases.fill(BASE_N, this.#nextBase + inside, this.#nextBase + count);
      } else this.#spend(inside);
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
    if (reference !== undefined) {
      if (this.#nextPosition >= reference.length) this.mismatches.endReference();
      else {
        const base = baseAt(reference.window, this.#nextPosition) ?? BASE_N;
        row = MATRIX_ROWS[base] ?? 0;
        this.mismatches.addMismatch(base);
      }
    }
    this.#setBase(this.#source.compression.substitutions[SUBSTITUTIONS * row + code] ?? 0);
    this.#advance(1);
  }

  /** Adds bases that are stored as they are. As in htslib, all of them count as mismatches. */
  #addBases(count: number): void {
    const reference = this.#reference;
    if (reference !== undefined) {
      for (let at = this.#nextPosition; at < this.#nextPosition + count; at++) {
        if (at >= reference.length) {
          this.mismatches.endReference();
          break;
        }
        const base = baseAt(reference.window, at);
        if (base === undefined) throw this.#beyondSlice();
        this.mismatches.addMismatch(base);
      }
    }
    this.#advance(count);
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

  /** Sets the base at the place of the feature. A record of unknown length has no bases. */
  #setBase(base: number): void {
    if (this.#head.length > 0) this.bases[this.#place] = base;
  }

  #setQuality(quality: number): void {
    if (this.#head.length === 0) return;
    this.#startQualities();
    this.qualities[this.#place] = quality;
  }

  /** Prepares the qualities of a record that stores only some of them. */
  #startQualities(): void {
    const { length, cramFlags } = this.#head;
    const storesSome = (cramFlags & CRAM_FLAG.hasQualities) === 0;
    if (storesSome && this.qualities[0] === NO_QUALITY) this.qualities.fill(LOSSY_QUALITY, 0, length);
  }

  #copyArray(reader: ArrayReader, target: Uint8Array): number {
    const count = reader.read();
    if (this.#head.length === 0) return count;
    if (count > this.#head.length - this.#place) throw this.#invalid('feature extends past the end of its record');
    const { bytes, start } = reader;
    for (let at = 0; at < count; at++) target[this.#place + at] = bytes[start + at] ?? 0;
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

  #readLength(reader: ValueReader): number {
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
