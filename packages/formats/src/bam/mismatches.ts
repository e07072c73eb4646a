import { invalidData } from '../format-error.js';
import type { AlignmentTagValue } from './tags/tag-values.js';

/** How an alignment differs from its reference at one place. Read and reference bases are upper-case letters. */
export interface Mismatch {
  readonly type: 'substitution' | 'insertion' | 'deletion' | 'skip' | 'softClip' | 'hardClip';
  /** The reference base, 0-based: the first one concerned, or the one before which bases are inserted or clipped. */
  readonly start: number;
  /** Bases: of the reference for a deletion or skip, otherwise of the read. */
  readonly length: number;
  /** The index in SEQ of the first base concerned, or of the one before which reference bases are missing. */
  readonly readStart: number;
  /** The bases of the read; empty if it has no such bases or no SEQ. */
  readonly bases: string;
  /** The bases of a substitution's or deletion's reference; undefined if neither MD nor reference bases have them. */
  readonly reference: string | undefined;
}

/** Bases of the reference of an alignment. */
export interface ReferenceBases {
  readonly bases: string;
  /** The position of the first base, 0-based. Default: 0. */
  readonly start?: number;
}

/** An alignment, as a walk over its mismatches reads it. */
export interface MismatchInput {
  readonly start: number;
  readonly operations: readonly { readonly operation: string; readonly length: number }[];
  /** SEQ; empty if it is not stored. */
  readonly sequence: string;
  /** The tag MD, which counts if it is a text. */
  readonly md: AlignmentTagValue | undefined;
}

/** Returns the base of the reference at `position`; undefined if it is not known. `isDeleted`: the read lacks the base. */
type ReferenceAt = (position: number, read: string, isDeleted: boolean) => string | undefined;

/**
 * Yields the mismatches of an alignment in the order of its CIGAR, by the given bases or, without them, by MD (SAMtags). With
 * neither, substitutions are those of the operation X, and their reference is undefined. Throws `FormatError` `INVALID_DATA`
 * for an MD that does not match the CIGAR.
 */
export function* walkMismatches(input: MismatchInput, reference?: ReferenceBases): Generator<Mismatch, void> {
  const referenceAt = reference === undefined ? readerOfMd(input) : readerOfBases(reference);
  const { sequence } = input;
  let position = input.start;
  let readStart = 0;
  for (const { operation, length } of input.operations) {
    const bases = 'ISMX='.includes(operation) ? sequence.slice(readStart, readStart + length) : '';
    const place = { start: position, length, readStart, bases };
    if ('MX='.includes(operation)) yield* substitutions({ ...place, isDifferent: operation === 'X' }, referenceAt);
    else if (operation === 'I') yield { type: 'insertion', ...place, reference: undefined };
    else if (operation === 'D') yield { type: 'deletion', ...place, reference: deletedBases(place, referenceAt) };
    else if (operation === 'N') yield { type: 'skip', ...place, reference: undefined };
    else if (operation === 'S') yield { type: 'softClip', ...place, reference: undefined };
    else if (operation === 'H') yield { type: 'hardClip', ...place, reference: undefined };
    if ('MX=DN'.includes(operation)) position += length;
    if ('ISMX='.includes(operation)) readStart += length;
  }
}

/** A run of the operations M, X or =. */
interface AlignedRun {
  readonly start: number;
  readonly length: number;
  readonly readStart: number;
  readonly bases: string;
  /** Whether the operation is X. */
  readonly isDifferent: boolean;
}

function* substitutions(run: AlignedRun, referenceAt: ReferenceAt): Generator<Mismatch, void> {
  for (let i = 0; i < run.length; i++) {
    const start = run.start + i;
    const read = run.bases[i] ?? '';
    const base = referenceAt(start, read, false);
    if (base === undefined ? !run.isDifferent : base === read || read === '' || read === '=') continue;
    yield { type: 'substitution', start, length: 1, readStart: run.readStart + i, bases: read, reference: base };
  }
}

function deletedBases(
  { start, length }: { readonly start: number; readonly length: number },
  referenceAt: ReferenceAt,
): string | undefined {
  let bases = '';
  for (let position = start; position < start + length; position++) {
    const base = referenceAt(position, '', true);
    if (base === undefined) return undefined;
    bases += base;
  }
  return bases;
}

function readerOfBases({ bases, start = 0 }: ReferenceBases): ReferenceAt {
  return (position) => bases[position - start]?.toUpperCase();
}

/** An entry of MD: a number of equal bases, a base of the reference that differs, or deleted bases. */
const MD_ENTRY = /(\d+)|([A-Z])|\^([A-Z]+)/gi;

/** Returns a reader that must be called for each aligned and deleted base in order. */
function readerOfMd({ md }: MismatchInput): ReferenceAt {
  if (typeof md !== 'string') return () => undefined;
  const entries = md.matchAll(MD_ENTRY);
  let equal = 0;
  let deleted = '';
  return (_, read, isDeleted) => {
    for (;;) {
      if (!isDeleted && equal > 0) {
        equal--;
        return read;
      }
      if (isDeleted && deleted !== '') {
        const [base] = deleted;
        deleted = deleted.slice(1);
        return base?.toUpperCase();
      }
      const { value: entry } = entries.next();
      if (equal > 0 || deleted !== '' || entry === undefined) throw invalidData('tag MD does not match the CIGAR', 0);
      const [, count, base, bases] = entry;
      if (count !== undefined) equal = Number(count);
      else if (bases !== undefined) deleted = bases;
      else if (!isDeleted) return base?.toUpperCase();
      else throw invalidData('tag MD does not match the CIGAR', 0);
    }
  };
}
