import type { AlignmentRecord, Mismatch, ReferenceBases } from '@htskit/formats';

/** A column of an alignment: a base of the reference above one of the read. */
interface AlignedBase {
  /** Empty if it is not known, `-` for an insertion, a space for clipped bases. */
  readonly reference: string;
  /** `-` for a deletion; lower case for clipped bases. */
  readonly read: string;
  readonly isMismatch: boolean;
}

/** The most columns that are shown: reads may have millions of bases. */
const MOST_COLUMNS = 3000;

/** Bases of a read beside those of the reference. Skipped bases are one column, `»`. */
export interface AlignedBases {
  readonly columns: readonly AlignedBase[];
  readonly isCut: boolean;
  /** Whether substitutions are known: by bases of the reference or by the tag MD. */
  readonly hasReference: boolean;
}

/** Aligns the bases of a read with those of the reference, which are given or those of the tag MD. */
export function alignBases(record: AlignmentRecord, reference: ReferenceBases | undefined): AlignedBases {
  const { sequence } = record;
  const columns: AlignedBase[] = [];
  const hasReference = reference !== undefined || record.tag('MD') !== undefined;
  const mismatches = listMismatches(record, reference);
  let at = 0;
  for (const { operation, length } of record.cigar) {
    if (columns.length >= MOST_COLUMNS) break;
    if (operation === 'H' || operation === 'P') continue;
    if (operation === 'N') {
      columns.push({ reference: '»', read: '»', isMismatch: false });
    } else if (operation === 'D') {
      const bases = mismatches.deletions.get(at)?.reference ?? '';
      for (let i = 0; i < length; i++) columns.push({ reference: bases[i] ?? '', read: '-', isMismatch: true });
    } else {
      for (let i = 0; i < length; i++, at++)
        columns.push(alignBase(operation, sequence[at] ?? '?', mismatches.bases.get(at)));
    }
  }
  return { columns: columns.slice(0, MOST_COLUMNS), isCut: columns.length > MOST_COLUMNS, hasReference };

  function alignBase(operation: string, read: string, substituted: string | undefined): AlignedBase {
    if (operation === 'S') return { reference: ' ', read: read.toLowerCase(), isMismatch: false };
    if (operation === 'I') return { reference: '-', read, isMismatch: true };
    if (substituted !== undefined) return { reference: substituted, read, isMismatch: true };
    return { reference: hasReference ? read : '', read, isMismatch: false };
  }
}

/** Returns the reference bases of substitutions, and the deletions, by indexes in SEQ. */
function listMismatches(
  record: AlignmentRecord,
  reference: ReferenceBases | undefined,
): { readonly bases: ReadonlyMap<number, string>; readonly deletions: ReadonlyMap<number, Mismatch> } {
  const bases = new Map<number, string>();
  const deletions = new Map<number, Mismatch>();
  try {
    for (const mismatch of record.mismatches(reference)) {
      const { type, readStart } = mismatch;
      if (type === 'deletion') deletions.set(readStart, mismatch);
      if (type !== 'substitution') continue;
      for (let i = 0; i < mismatch.length; i++) bases.set(readStart + i, mismatch.reference?.[i] ?? 'N');
    }
  } catch {
    // A malformed MD is no reason to hide the bases.
  }
  return { bases, deletions };
}
