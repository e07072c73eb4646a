/** The elements of an array tag. */
export type AlignmentTagArray =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>;

/** The value of a tag: a number of the types `cCsSiIf`, a text of the types `AZH`, or an array of the type `B`. */
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
const LAST_ASCII = 0x7f;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Parses the tag [at, end), whose bounds `bamTagEnd` checked. */
export function parseBamTag(view: DataView, at: number, end: number): AlignmentTag {
  const type = view.getUint8(at + 2);
  const start = at + TAG_HEADER_BYTES;
  const isArray = type === ARRAY;
  return {
    name: String.fromCharCode(view.getUint8(at), view.getUint8(at + 1)),
    type: isArray ? String.fromCharCode(ARRAY, view.getUint8(start)) : String.fromCharCode(type),
    value: isArray ? parseArray(view, start, end) : parseValue(view, start, end),
  };
}

/** The readers of numbers by their type. */
export const TAG_NUMBERS: Readonly<Record<number, (view: DataView, at: number) => number>> = {
  99: (view, at) => view.getInt8(at), // c
  67: (view, at) => view.getUint8(at), // C
  115: (view, at) => view.getInt16(at, true), // s
  83: (view, at) => view.getUint16(at, true), // S
  105: (view, at) => view.getInt32(at, true), // i
  73: (view, at) => view.getUint32(at, true), // I
  102: (view, at) => view.getFloat32(at, true), // f
};

function parseValue(view: DataView, start: number, end: number): number | string {
  const type = view.getUint8(start - 1);
  const number = TAG_NUMBERS[type]?.(view, start);
  if (number !== undefined) return number;
  if (type === CHARACTER) return String.fromCharCode(view.getUint8(start));
  return parseText(view, start, end - 1);
}

/** Texts up to this length take a third of the time without a decoder. */
const SHORT_TEXT = 8;

function parseText(view: DataView, start: number, end: number): string {
  let text = '';
  for (let at = start; end - start <= SHORT_TEXT && at < end; at++) {
    const byte = view.getUint8(at);
    if (byte > LAST_ASCII) return decodeText(view, start, end);
    text += String.fromCharCode(byte);
  }
  return end - start <= SHORT_TEXT ? text : decodeText(view, start, end);
}

function decodeText(view: DataView, start: number, end: number): string {
  return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + start, end - start));
}

type ArrayConstructor = new (length: number) => AlignmentTagArray;

/** The typed array of each element type; others are bytes. */
const ARRAYS: Readonly<Record<number, ArrayConstructor>> = {
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
  const array = new (ARRAYS[type] ?? Uint8Array)(view.getUint32(start + 1, true));
  const read = TAG_NUMBERS[type] ?? ((elements, at) => elements.getUint8(at));
  for (let i = 0, at = start + ELEMENTS_OFFSET; at < end; i++, at += array.BYTES_PER_ELEMENT) array[i] = read(view, at);
  return array;
}
