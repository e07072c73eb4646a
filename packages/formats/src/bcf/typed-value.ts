import { FormatError } from '../format-error.js';

/** Where a typed value stands, without its type. */
export interface TypedSpan {
  readonly start: number;
  readonly byteEnd: number;
}

/** Bytes of an element by type: missing, int8, int16, int32, float, character (VCFv4.3 §6.3.3). */
const ELEMENT_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 4],
  [5, 4],
  [7, 1],
]);
const INTEGER_TYPES = [1, 2, 3];
/** In the high half of the type byte: the count follows as a typed integer. */
const LONG_COUNT = 15;

/** Where the value is whose type byte stands at `at`. Throws `FormatError` INVALID_DATA unless it lies within `data`. */
export function readTypedLength(data: Uint8Array, at: number): TypedSpan {
  const descriptor = data[at] ?? LONG_COUNT;
  const elementBytes = ELEMENT_BYTES.get(descriptor & 0xf);
  const { count, start } =
    descriptor >>> 4 === LONG_COUNT ? readLongCount(data, at) : { count: descriptor >>> 4, start: at + 1 };
  if (elementBytes === undefined || start + count * elementBytes > data.length) throw invalid(at);
  return { start, byteEnd: start + count * elementBytes };
}

function readLongCount(data: Uint8Array, at: number): { readonly count: number; readonly start: number } {
  const type = data[at + 1] ?? 0;
  const bytes = ELEMENT_BYTES.get(type & 0xf) ?? 0;
  const start = at + 2 + bytes;
  if (type >>> 4 !== 1 || !INTEGER_TYPES.includes(type & 0xf) || start > data.length) throw invalid(at);
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const count =
    bytes === 1 ? view.getInt8(at + 2) : bytes === 2 ? view.getInt16(at + 2, true) : view.getInt32(at + 2, true);
  if (count < 0) throw invalid(at);
  return { count, start };
}

function invalid(at: number): FormatError {
  return new FormatError('INVALID_DATA', 'a typed value does not fit into its record', { offset: at });
}
