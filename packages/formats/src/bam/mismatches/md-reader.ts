import { invalidData } from '../../format-error.js';

const [ZERO, NINE, DELETION] = [0x30, 0x39, 0x5e];
const [UPPER_A, UPPER_Z, TO_UPPER_CASE] = [0x41, 0x5a, 0xdf];
/** Counts of more than nine digits are taken for the largest small integer: no read is as long. */
const MAX_COUNT = 2 ** 30 - 1;
const MAX_SHORT_COUNT = 1e8;

/**
 * Reads a tag MD along the aligned and deleted bases of a CIGAR (SAMtags §1.1). Characters that the specification does not allow
 * are ignored. Throws `FormatError` `INVALID_DATA` for an MD that does not match the CIGAR.
 *
 * The methods copy the state to variables: reading it for each character took three times as long.
 */
export class MdReader {
  /** The upper-case letter of the reference at the base before which `skipEqual` stopped. */
  base = 0;
  readonly #view: DataView;
  #at: number;
  /** Equal bases that are left of the count before `#at`. */
  #equal = 0;
  /** The end of the deleted bases that `#at` is among. */
  #deletedEnd = 0;

  /** The text starts at `at` and ends with a NUL. */
  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /**
   * Returns how many of the next `max` aligned bases are equal to the reference. If fewer than `max` are, the next one, which
   * differs, is read as well: `base` is its letter in the reference.
   */
  skipEqual(max: number): number {
    const left = this.#equal - max;
    if (left >= 0) {
      this.#equal = left;
      return max;
    }
    const view = this.#view;
    let passed = this.#equal;
    let at = this.#at;
    if (at < this.#deletedEnd) throw mismatch();
    for (;;) {
      const byte = view.getUint8(at++);
      if (byte >= ZERO && byte <= NINE) {
        let count = byte - ZERO;
        for (let next = view.getUint8(at); next >= ZERO && next <= NINE; next = view.getUint8(++at)) {
          count = count < MAX_SHORT_COUNT ? 10 * count + next - ZERO : MAX_COUNT;
        }
        passed += count;
        if (passed < max) continue;
        this.#equal = passed - max;
        this.#at = at;
        return max;
      }
      const letter = toLetter(byte);
      if (letter !== 0) {
        this.base = letter;
        this.#equal = 0;
        this.#at = at;
        return passed;
      }
      if (byte === 0 || (byte === DELETION && toLetter(view.getUint8(at)) !== 0)) throw mismatch();
    }
  }

  /** Reads `count` deleted bases, and calls `onBase` with the upper-case letter of each. */
  skipDeleted(count: number, onBase: ((letter: number) => void) | undefined): void {
    for (let i = 0; i < count; i++) {
      if (this.#at >= this.#deletedEnd) this.#enterDeletion();
      onBase?.(toLetter(this.#view.getUint8(this.#at)));
      this.#at++;
    }
  }

  #enterDeletion(): void {
    const view = this.#view;
    let at = this.#at;
    if (this.#equal > 0) throw mismatch();
    for (; view.getUint8(at) !== DELETION || toLetter(view.getUint8(at + 1)) === 0; at++) {
      const byte = view.getUint8(at);
      // A count of 0 precedes bases that are deleted after a base that differs.
      if (byte === 0 || (byte > ZERO && byte <= NINE) || toLetter(byte) !== 0) throw mismatch();
    }
    this.#at = ++at;
    while (toLetter(view.getUint8(at)) !== 0) at++;
    this.#deletedEnd = at;
  }
}

/** Returns a letter in upper case; 0 for other bytes. */
function toLetter(byte: number): number {
  const letter = byte & TO_UPPER_CASE;
  return letter >= UPPER_A && letter <= UPPER_Z ? letter : 0;
}

function mismatch(): Error {
  return invalidData('tag MD does not match the CIGAR', 0);
}
