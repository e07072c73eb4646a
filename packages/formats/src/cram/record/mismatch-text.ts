import { ByteWriter } from '../../bytes/byte-writer.js';
import type { ReferenceWindow } from '../reference/reference-window.js';

const BASE_N = 0x4e;

/** Collects the tags MD and NM of a record as htslib generates them (SAMtags §1.1). */
export class MismatchText {
  readonly md: ByteWriter = new ByteWriter();
  nm = 0;
  /** Matching bases since the last mismatch or deletion; −1 after a position beyond the end of the reference. */
  #matches = 0;
  #isWanted = true;

  /** Starts a record. The tags are valid only if they are wanted. */
  start(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.md.shrinkTo(0);
    this.nm = 0;
    this.#matches = 0;
  }

  /** Adds matching bases. An N of the reference counts as a mismatch. */
  addMatches({ bases, hasN }: ReferenceWindow, start: number, count: number): void {
    if (!(hasN && this.#isWanted)) this.#matches += count;
    else {
      for (let at = start; at < start + count; at++) {
        if (bases[at] === BASE_N) this.addMismatch(BASE_N);
        else this.#matches += 1;
      }
    }
  }

  /** Adds bases that extend past the end of the reference. */
  addBeyondEnd(count: number): void {
    if (this.#matches >= 0) this.#matches += count;
  }

  addMismatch(referenceBase: number): void {
    this.flush();
    this.md.uint8(referenceBase);
    this.#matches = 0;
    this.nm += 1;
  }

  /** Adds deleted bases; `beyondEnd` more of them are past the end of the reference. */
  addDeletion(reference: Uint8Array, start: number, count: number, beyondEnd: number): void {
    this.flush();
    if (count > 0 || beyondEnd === 0) {
      this.md.uint8(0x5e);
      this.md.copy(reference, start, start + count);
      if (beyondEnd > 0) this.md.decimal(0);
    }
    this.nm += count;
    this.#matches = beyondEnd > 0 ? -1 : 0;
  }

  /** Writes the number of matches, which the end of the reference makes meaningless. */
  flush(): void {
    if (this.#matches >= 0) this.md.decimal(this.#matches);
  }

  /** Marks that a position beyond the end of the reference was read. */
  endReference(): void {
    this.flush();
    this.#matches = -1;
  }
}
