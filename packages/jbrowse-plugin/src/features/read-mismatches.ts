import { type AlignmentRecord, FormatError, MISMATCH_KINDS, type Mismatch, type ReferenceBases } from '@htskit/formats';

/** A difference between a read and the reference as JBrowse 3 draws it. `start` counts from the start of the alignment. */
export interface ReadMismatch {
  readonly type: 'mismatch' | 'insertion' | 'deletion' | 'skip' | 'softclip' | 'hardclip';
  readonly start: number;
  /** Bases of the reference; 0 for an insertion, and 1 for a clip. */
  readonly length: number;
  readonly base: string;
  /** The base of the reference. */
  readonly altbase?: string | undefined;
  readonly qual?: number | undefined;
  readonly cliplen?: number;
  readonly insertedBases?: string;
}

/** Called by JBrowse 4 for each difference, with its index in `MISMATCH_KINDS` as its type, and −1 and 0 for what is not known. */
export type VisitReadMismatch = (
  type: number,
  start: number,
  length: number,
  base: string,
  quality: number,
  referenceBase: number,
  readLength: number,
) => void;

/** Lists the differences of a read. An MD that does not match the CIGAR ends them: one bad read must not hide all others. */
export function listDifferences(record: AlignmentRecord, reference: ReferenceBases | undefined): readonly Mismatch[] {
  const found: Mismatch[] = [];
  try {
    for (const mismatch of record.mismatches(reference)) found.push(mismatch);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  return found;
}

/** Returns a difference as JBrowse 3 draws it. */
export function toReadMismatch(mismatch: Mismatch, record: AlignmentRecord): ReadMismatch {
  const { type, length, bases } = mismatch;
  const start = mismatch.start - record.start;
  switch (type) {
    case 'substitution': {
      const qual = record.qualities?.[mismatch.readStart];
      return { type: 'mismatch', start, length, base: bases || 'X', altbase: mismatch.reference, qual };
    }
    case 'insertion':
      return { type, start, length: 0, base: String(length), insertedBases: bases };
    case 'deletion':
      return { type, start, length, base: '*' };
    case 'skip':
      return { type, start, length, base: 'N' };
    case 'softClip':
      return { type: 'softclip', start, length: 1, base: `S${length}`, cliplen: length };
    case 'hardClip':
      return { type: 'hardclip', start, length: 1, base: `H${length}`, cliplen: length };
  }
}

/** Calls `visit` for a difference as JBrowse 4 draws it. */
export function visitDifference(mismatch: Mismatch, record: AlignmentRecord, visit: VisitReadMismatch): void {
  const { type, start, length, base, qual = -1, altbase = '', insertedBases } = toReadMismatch(mismatch, record);
  const readLength = type === 'insertion' || type === 'softclip' || type === 'hardclip' ? mismatch.length : 0;
  const kind = MISMATCH_KINDS.indexOf(mismatch.type);
  visit(kind, start, length, insertedBases ?? base, qual, altbase === '' ? 0 : altbase.charCodeAt(0), readLength);
}
