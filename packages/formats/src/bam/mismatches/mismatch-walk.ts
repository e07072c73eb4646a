import { baseLetterAt } from '../bases.js';
import {
  baseCount,
  baseStart,
  basesStart,
  cigarTagStart,
  isMapped,
  OPERATION_BYTES,
  operationsEnd,
  operationsStart,
  recordEnd,
  tagsStart,
} from '../record-fields.js';
import { bamTagCode, findBamTag } from '../tags/tags.js';
import { MdReader } from './md-reader.js';
import { MISMATCH_NUMBERS, type MismatchOptions, type ReferenceBases, type VisitMismatch } from './mismatch.js';

// Codes of operations (SAMv1 §4.2). Paddings (P) and undefined codes concern neither the reference nor the read.
const [MATCH, INSERTION, DELETION, SKIP, SOFT_CLIP, HARD_CLIP, EQUAL, DIFFERENT] = [0, 1, 2, 3, 4, 5, 7, 8];
const MD_TAG = bamTagCode('MD');
/** The types of texts: `A`, `H` and `Z`. */
const [CHARACTER, HEX_STRING, STRING] = [0x41, 0x48, 0x5a];
const SUBSTITUTION = MISMATCH_NUMBERS.substitution;
/** Bytes of a tag before its value. */
const TAG_HEADER_BYTES = 3;
/** The letter of a base that is equal to that of the reference. */
const EQUAL_BASE = 0x3d;
/** In place of a letter that is not known. */
const NO_BASE = 0;
const [LOWER_A, LOWER_Z, LOWER_TO_UPPER] = [0x61, 0x7a, -0x20];

/** How a walk finds the bases of the reference. */
export interface MismatchWalkOptions extends MismatchOptions {
  /** Called for each base of a deletion before the deletion is visited, with an ASCII letter; 0 for an unknown base. */
  readonly onDeleted?: ((base: number) => void) | undefined;
}

const BY_MD: MismatchWalkOptions = {};

/**
 * Visits the mismatches of a record that passed `checkRecord`, in the order of its CIGAR, by the given bases or, without them, by
 * MD (SAMtags §1.1). With neither, substitutions are those of the operation X. Creates no object per mismatch, which took 70 % of
 * the time. Throws `FormatError` `INVALID_DATA` for malformed tags, and for an MD that does not match the CIGAR.
 */
export function walkMismatches(
  view: DataView,
  at: number,
  visit: VisitMismatch,
  options: MismatchWalkOptions = BY_MD,
): void {
  if (!isMapped(view, at)) return;
  const tag = cigarTagStart(view, at);
  const bases = new AlignedBases(view, at, visit, options);
  const end = operationsEnd(view, at, tag);
  let start = baseStart(view, at);
  let readStart = 0;
  for (let from = operationsStart(view, at, tag); from < end; from += OPERATION_BYTES) {
    const operation = view.getUint32(from, true);
    const code = operation & 0xf;
    const length = operation >>> 4;
    if (code === MATCH || code === EQUAL || code === DIFFERENT) {
      bases.visitSubstitutions(start, length, readStart, code === DIFFERENT);
      start += length;
      readStart += length;
    } else if (code === INSERTION) {
      visit(MISMATCH_NUMBERS.insertion, start, length, readStart, NO_BASE, NO_BASE);
      readStart += length;
    } else if (code === DELETION) {
      bases.passDeleted(start, length);
      visit(MISMATCH_NUMBERS.deletion, start, length, readStart, NO_BASE, NO_BASE);
      start += length;
    } else if (code === SKIP) {
      visit(MISMATCH_NUMBERS.skip, start, length, readStart, NO_BASE, NO_BASE);
      start += length;
    } else if (code === SOFT_CLIP) {
      visit(MISMATCH_NUMBERS.softClip, start, length, readStart, NO_BASE, NO_BASE);
      readStart += length;
    } else if (code === HARD_CLIP) {
      visit(MISMATCH_NUMBERS.hardClip, start, length, readStart, NO_BASE, NO_BASE);
    }
  }
}

/** The bases of a read, and those of its reference at the same places. */
class AlignedBases {
  readonly #view: DataView;
  readonly #visit: VisitMismatch;
  readonly #onDeleted: MismatchWalkOptions['onDeleted'];
  readonly #reference: ReferenceBases | undefined;
  readonly #md: MdReader | undefined;
  readonly #basesStart: number;
  readonly #baseCount: number;

  constructor(view: DataView, at: number, visit: VisitMismatch, { reference, onDeleted }: MismatchWalkOptions) {
    const md = openMd(view, at);
    this.#view = view;
    this.#visit = visit;
    this.#onDeleted = onDeleted;
    this.#reference = reference;
    this.#md = reference === undefined ? md : undefined;
    this.#basesStart = basesStart(view, at);
    this.#baseCount = baseCount(view, at);
  }

  /** Visits the substitutions of a run of the operations M, = or X. */
  visitSubstitutions(start: number, length: number, readStart: number, isDifferent: boolean): void {
    const md = this.#md;
    if (md === undefined) {
      if (isDifferent || this.#reference !== undefined) this.#compareAll(start, length, readStart, isDifferent);
      return;
    }
    for (let i = md.skipEqual(length); i < length; i += md.skipEqual(length - i)) {
      const base = this.#baseAt(readStart + i);
      if (base !== md.base && base !== EQUAL_BASE && base !== NO_BASE) {
        this.#visit(SUBSTITUTION, start + i, 1, readStart + i, base, md.base);
      }
      i++;
    }
  }

  /** Compares a run with the given reference. Its unknown bases are taken for others if `isDifferent`. */
  #compareAll(start: number, length: number, readStart: number, isDifferent: boolean): void {
    for (let i = 0; i < length; i++) {
      const base = this.#baseAt(readStart + i);
      const reference = this.#givenBaseAt(start + i);
      const differs = base !== reference && base !== EQUAL_BASE && base !== NO_BASE;
      if (reference === NO_BASE ? isDifferent : differs) {
        this.#visit(SUBSTITUTION, start + i, 1, readStart + i, base, reference);
      }
    }
  }

  /** Reads the reference bases of a deletion. */
  passDeleted(start: number, length: number): void {
    const onDeleted = this.#onDeleted;
    if (this.#md !== undefined) this.#md.skipDeleted(length, onDeleted);
    else if (onDeleted !== undefined) {
      for (let i = 0; i < length; i++) onDeleted(this.#givenBaseAt(start + i));
    }
  }

  /** Returns the letter of a base of the read. */
  #baseAt(index: number): number {
    return index < this.#baseCount ? baseLetterAt(this.#view, this.#basesStart, index) : NO_BASE;
  }

  /** Returns the letter of the given reference at a position. */
  #givenBaseAt(position: number): number {
    const reference = this.#reference;
    return reference === undefined ? NO_BASE : letterAt(reference.bases, position - (reference.start ?? 0));
  }
}

/** Returns the upper-case letter at an index of a text. */
function letterAt(text: string, index: number): number {
  if (index < 0 || index >= text.length) return NO_BASE;
  const letter = text.charCodeAt(index);
  return letter >= LOWER_A && letter <= LOWER_Z ? letter + LOWER_TO_UPPER : letter;
}

/** Returns a reader of the tag MD; undefined if a record has none that is a text. */
function openMd(view: DataView, at: number): MdReader | undefined {
  const tag = findBamTag(view, { start: tagsStart(view, at), end: recordEnd(view, at) }, MD_TAG);
  if (tag === -1) return undefined;
  const type = view.getUint8(tag + 2);
  const start = tag + TAG_HEADER_BYTES;
  if (type === STRING || type === HEX_STRING) return new MdReader(view, start);
  // A character has no NUL after it.
  return type === CHARACTER ? new MdReader(new DataView(Uint8Array.of(view.getUint8(start), 0).buffer), 0) : undefined;
}
