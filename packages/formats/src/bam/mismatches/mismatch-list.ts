import { decodeBases } from '../bases.js';
import { baseCount, basesStart } from '../record-fields.js';
import { MISMATCH_KINDS, type Mismatch, type ReferenceBases } from './mismatch.js';
import { walkMismatches } from './mismatch-walk.js';

/** Yields what `walkMismatches` visits as objects. Throws its error after the mismatches before the fault. */
export function* listMismatches(view: DataView, at: number, reference?: ReferenceBases): Generator<Mismatch, void> {
  const { found, fault } = collectMismatches(view, at, reference);
  yield* found;
  if (fault !== undefined) throw fault;
}

function collectMismatches(
  view: DataView,
  at: number,
  reference: ReferenceBases | undefined,
): { readonly found: readonly Mismatch[]; readonly fault?: unknown } {
  const found: Mismatch[] = [];
  let deleted: string | undefined = '';
  const onDeleted = (base: number): void => {
    deleted = base === 0 || deleted === undefined ? undefined : deleted + String.fromCharCode(base);
  };
  try {
    walkMismatches(
      view,
      at,
      (kind, start, length, readStart, base, referenceBase) => {
        const type = MISMATCH_KINDS[kind] ?? 'substitution';
        const place = { type, start, length, readStart };
        if (type === 'substitution') {
          found.push({ ...place, bases: toText(base) ?? '', reference: toText(referenceBase) });
        } else {
          const hasBases = type === 'insertion' || type === 'softClip';
          const bases = hasBases ? sliceBases(view, at, readStart, readStart + length) : '';
          found.push({ ...place, bases, reference: type === 'deletion' ? deleted : undefined });
          deleted = '';
        }
      },
      { reference, onDeleted },
    );
    return { found };
  } catch (fault) {
    return { found, fault };
  }
}

/** Returns the character of a code; undefined for 0. */
function toText(code: number): string | undefined {
  return code === 0 ? undefined : String.fromCharCode(code);
}

/** Returns the bases [start, end) of SEQ, as far as it has them. */
function sliceBases(view: DataView, at: number, start: number, end: number): string {
  const count = baseCount(view, at);
  const evenStart = Math.min(start - (start % 2), count);
  const range = { at: basesStart(view, at) + evenStart / 2, count: Math.min(end, count) - evenStart };
  return decodeBases(view, { ...range, count: Math.max(0, range.count) }).slice(start - evenStart);
}
