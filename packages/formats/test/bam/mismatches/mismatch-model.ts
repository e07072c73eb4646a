import type { AlignmentRecord, AlignmentTagValue, Mismatch, ReferenceBases } from '../../../src/index.js';

/** Returns the base of the reference at `position`; undefined if it is not known. `isDeleted`: the read lacks the base. */
type ReferenceAt = (position: number, read: string, isDeleted: boolean) => string | undefined;

/** Yields the mismatches of a record base by base, from decoded fields: the plainest way, which is slow. */
export function* modelMismatches(record: AlignmentRecord, reference?: ReferenceBases): Generator<Mismatch, void> {
  if (record.isUnmapped) return;
  const { start, cigar, sequence } = record;
  const md = record.tag('MD');
  const referenceAt = reference === undefined ? readerOfMd(md) : readerOfBases(reference);
  let position = start;
  let readStart = 0;
  for (const { operation, length } of cigar) {
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
function readerOfMd(md: AlignmentTagValue | undefined): ReferenceAt {
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
      if (equal > 0 || deleted !== '' || entry === undefined) throw new Error('tag MD does not match the CIGAR');
      const [, count, base, bases] = entry;
      if (count !== undefined) equal = Number(count);
      else if (bases !== undefined) deleted = bases;
      else if (!isDeleted) return base?.toUpperCase();
      else throw new Error('tag MD does not match the CIGAR');
    }
  };
}
