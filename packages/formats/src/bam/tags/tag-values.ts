import type { RecordData } from '../record-fields.js';
import { decodeTagText } from './tag-text.js';

/** The elements of an array tag. */
type AlignmentTagArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>;

/** The value of a tag: a number of the types `cCsSiIfd`, a text of the types `AZH`, or an array of the type `B`. */
export type AlignmentTagValue = number | string | AlignmentTagArray;

/** A tag of a record (SAMv1 §4.2.4). */
export interface AlignmentTag {
  /** Two characters. */
  readonly name: string;
  /** The type in BAM; for an array, `B` and the type of its elements. */
  readonly type: string;
  readonly value: AlignmentTagValue;
}

/** Bytes of a tag before its value, and of an array before its elements. */
const [TAG_HEADER_BYTES, ELEMENTS_OFFSET] = [3, 5];
/** Types of texts and arrays. */
const [CHARACTER, ARRAY] = [0x41, 0x42];

/** Parses the tag [at, end), whose bounds `bamTagEnd` checked. */
export function parseBamTag(data: RecordData, at: number, end: number): AlignmentTag {
  const { view } = data;
  const type = view.getUint8(at + 2);
  return {
    name: String.fromCharCode(view.getUint8(at), view.getUint8(at + 1)),
    type: type === ARRAY ? String.fromCharCode(ARRAY, view.getUint8(at + 3)) : String.fromCharCode(type),
    value: parseTagValue(data, at, end),
  };
}

/** Parses the value of the tag [at, end), whose bounds `bamTagEnd` checked. */
export function parseTagValue({ bytes, view }: RecordData, at: number, end: number): AlignmentTagValue {
  const type = view.getUint8(at + 2);
  const start = at + TAG_HEADER_BYTES;
  if (type === ARRAY) return parseArray(view, start, end);
  const number = parseNumber(view, type, start);
  if (number !== undefined) return number;
  return type === CHARACTER ? String.fromCharCode(view.getUint8(start)) : decodeTagText(bytes, start, end - 1);
}

/** Parses a number of the given type; undefined for other types. */
export function parseNumber(view: DataView, type: number, at: number): number | undefined {
  switch (type) {
    case 0x63: // c
      return view.getInt8(at);
    case 0x43: // C
      return view.getUint8(at);
    case 0x73: // s
      return view.getInt16(at, true);
    case 0x53: // S
      return view.getUint16(at, true);
    case 0x69: // i
      return view.getInt32(at, true);
    case 0x49: // I
      return view.getUint32(at, true);
    case 0x66: // f
      return view.getFloat32(at, true);
    case 0x64: // d
      return view.getFloat64(at, true);
    default:
      return undefined;
  }
}

/** The typed array of each element type; others are bytes. */
export const ARRAY_CONSTRUCTORS: Readonly<
  Record<number, new (source: number | ArrayLike<number>) => AlignmentTagArray>
> = {
  99: Int8Array,
  115: Int16Array,
  83: Uint16Array,
  105: Int32Array,
  73: Uint32Array,
  102: Float32Array,
};

/** Copies the elements: those of a record are not aligned. */
function parseArray(view: DataView, start: number, end: number): AlignmentTagArray {
  const type = view.getUint8(start);
  const array = new (ARRAY_CONSTRUCTORS[type] ?? Uint8Array)(view.getUint32(start + 1, true));
  for (let i = 0, at = start + ELEMENTS_OFFSET; at < end; i++, at += array.BYTES_PER_ELEMENT) {
    array[i] = parseNumber(view, type, at) ?? view.getUint8(at);
  }
  return array;
}
