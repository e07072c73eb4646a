import { cigarTagStart, OPERATION_BYTES, operationsEnd, operationsStart } from './record-fields.js';

/** An operation of a CIGAR (SAMv1 §1.4.6). */
export interface CigarOperation {
  readonly operation: CigarOperationType;
  /** Bases. */
  readonly length: number;
}

/** The type of an operation. `B` and `?` stand for codes that the specification does not define. */
export type CigarOperationType = 'M' | 'I' | 'D' | 'N' | 'S' | 'H' | 'P' | '=' | 'X' | 'B' | '?';

/** The type of each code; samtools prints the undefined ones like this. */
const TYPES: readonly CigarOperationType[] = ['M', 'I', 'D', 'N', 'S', 'H', 'P', '=', 'X', 'B'];

/** The characters of the types by code, for text output. */
export const CIGAR_CHARACTERS: Uint8Array = Uint8Array.from({ length: 16 }, (_, code) =>
  (TYPES[code] ?? '?').charCodeAt(0),
);

/** Calls `visit` with the number of each operation: its length times 16 plus its code. */
export function forEachOperation(view: DataView, at: number, visit: (operation: number) => void): void {
  const tag = cigarTagStart(view, at);
  const end = operationsEnd(view, at, tag);
  for (let from = operationsStart(view, at, tag); from < end; from += OPERATION_BYTES) {
    visit(view.getUint32(from, true));
  }
}

/** Returns the type of an operation. */
export function cigarType(operation: number): CigarOperationType {
  return TYPES[operation & 0xf] ?? '?';
}

/** Texts of operations that are kept: a power of two, so that lengths below 256 have slots of their own. */
const KEPT_TEXTS = 4096;
const texts = new Array<string>(KEPT_TEXTS).fill('');
const textOperations = new Uint32Array(KEPT_TEXTS);

/** Returns the CIGAR of the record at `at` as text; `*` if it has none. Throws for malformed tags. */
export function formatCigar(view: DataView, at: number): string {
  let text = '';
  forEachOperation(view, at, (operation) => {
    text += operationText(operation);
  });
  return text === '' ? '*' : text;
}

/** Returns an operation as text. Most operations are among those that were written before. */
function operationText(operation: number): string {
  const slot = operation % KEPT_TEXTS;
  const known = texts[slot] ?? '';
  if (textOperations[slot] === operation && known !== '') return known;
  const text = `${operation >>> 4}${cigarType(operation)}`;
  texts[slot] = text;
  textOperations[slot] = operation;
  return text;
}
