import { growBytes } from '@htskit/io/internal';
import { BASE_LETTERS } from '../../bam/bases.js';
import { CRAM_FLAG, type RecordHead, type RecordSource } from '../slice/record-head.js';
import type { ArrayReader } from '../slice/value-reader.js';
import { PackedBases } from './packed-bases.js';

const BASE_N = 0x4e;
const BASE_EQUAL = 0x3d;
const [LOWER_A, LOWER_Z, CASE_BIT] = [0x61, 0x7a, 0x20];
/** Qualities of bases that have none, and of those beside stored qualities, as in htslib. */
const NO_QUALITY = 0xff;
const LOSSY_QUALITY = 30;

/** Letters of unmapped records that are read at once. Even, so that each part begins with a byte of the packed bases. */
const LETTERS = 2 ** 14;

/** What is wanted of the records of a slice, besides the fields that each record stores and its CIGAR. */
export interface WantedParts {
  readonly bases: boolean;
  readonly qualities: boolean;
  readonly substitutions: boolean;
  readonly names: boolean;
  /** The tag RG. */
  readonly readGroups: boolean;
  /** The tags MD and NM of records that do not store them. */
  readonly mismatchTags: boolean;
}

/** The bases and qualities of the current record. Those that are not wanted are skipped. */
export class DecodedRead {
  readonly bases: PackedBases = new PackedBases();
  qualities: Uint8Array<ArrayBuffer> = new Uint8Array(512);
  /** Whether the bases of the record are wanted. A record of unknown length has no bases. */
  hasBases = false;
  readonly #source: RecordSource;
  readonly #wanted: WantedParts;
  #hasQualities = false;
  /** Whether the record stores no qualities but those of some features. */
  #storesSome = false;
  #length = 0;
  readonly #letters: Uint8Array<ArrayBuffer> = new Uint8Array(LETTERS);
  readonly #lettersView: DataView<ArrayBuffer> = new DataView(this.#letters.buffer);
  /** The substitutions: their number, their indexes in the read, and their letters, that of the reference in the high byte. */
  substitutionCount = 0;
  places: Int32Array<ArrayBuffer> = new Int32Array(64);
  letterPairs: Uint16Array<ArrayBuffer> = new Uint16Array(64);

  constructor(source: RecordSource, wanted: WantedParts) {
    this.#source = source;
    this.#wanted = wanted;
  }

  /** Starts a record. */
  start({ length, cramFlags }: RecordHead): void {
    const { memory } = this.#source.slice;
    this.#length = length;
    this.hasBases = this.#wanted.bases && length > 0;
    if (this.hasBases) this.bases.start(length, memory);
    this.#hasQualities = this.#wanted.qualities && length > 0;
    this.#storesSome = (cramFlags & CRAM_FLAG.hasQualities) === 0;
    this.substitutionCount = 0;
    if (!this.#hasQualities) return;
    if (length > this.qualities.length) {
      this.qualities = growBytes(this.qualities, { keptBytes: 0, byteLength: length, memory });
    }
    if (this.#storesSome) this.qualities.fill(NO_QUALITY, 0, length);
  }

  /** Marks that the bases are unknown. */
  clearBases(): void {
    if (this.hasBases) this.bases.fill(BASE_EQUAL, 0, this.#length);
  }

  /** Reads the bases of an unmapped record. */
  readBases(): void {
    const { BA } = this.#source.series.bytes;
    const length = this.#length;
    if (!this.hasBases) {
      BA.skip(length);
      return;
    }
    for (let at = 0; at < length; at += LETTERS) {
      const count = Math.min(LETTERS, length - at);
      BA.copyInto(this.#letters, this.#lettersView, 0, count);
      this.bases.copy(at, this.#lettersView, 0, count);
    }
  }

  setBase(place: number, letter: number): void {
    if (this.hasBases) this.bases.set(place, letter);
  }

  /** Sets `count` bases from `place` on to letters that were read. */
  setBases(place: number, { view, start }: ArrayReader, count: number): void {
    if (this.hasBases) this.bases.copy(place, view, start, count);
  }

  setQuality(place: number, quality: number): void {
    if (!this.#hasQualities) return;
    this.#startQualities();
    this.qualities[place] = quality;
  }

  /** Sets `count` qualities from `place` on to bytes that were read. */
  setQualities(place: number, { bytes, start }: ArrayReader, count: number): void {
    if (!this.#hasQualities) return;
    this.#startQualities();
    this.qualities.set(bytes.subarray(start, start + count), place);
  }

  /** Adds a base of the read, unless it is that of the reference. It is the letter that BAM has for it. */
  addSubstitution(place: number, base: number, expected: number): void {
    if (!this.#wanted.substitutions) return;
    const letter = BASE_LETTERS[base] ?? BASE_N;
    const reference = expected >= LOWER_A && expected <= LOWER_Z ? expected - CASE_BIT : expected;
    if (letter === reference || letter === BASE_EQUAL) return;
    const at = this.substitutionCount++;
    if (at === this.places.length) this.#growSubstitutions();
    this.places[at] = place;
    this.letterPairs[at] = letter | (reference << 8);
  }

  /** Prepares the qualities of a record that stores only some of them. */
  #startQualities(): void {
    if (this.#storesSome && this.qualities[0] === NO_QUALITY) this.qualities.fill(LOSSY_QUALITY, 0, this.#length);
  }

  #growSubstitutions(): void {
    const places = new Int32Array(2 * this.places.length);
    places.set(this.places);
    this.places = places;
    const letterPairs = new Uint16Array(2 * this.letterPairs.length);
    letterPairs.set(this.letterPairs);
    this.letterPairs = letterPairs;
  }
}
