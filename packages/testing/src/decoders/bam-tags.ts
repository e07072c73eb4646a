/** An optional field of a record (SAMv1 §4.2.4). */
export interface BamTag {
  /** The two characters of the tag. */
  readonly key: string;
  /** SAM text such as `NM:i:2`. */
  readonly text: string;
  /** The encoded field. */
  readonly raw: Uint8Array;
}

const NUMBERS: Readonly<Record<string, { bytes: number; read: (view: DataView, at: number) => number }>> = {
  c: { bytes: 1, read: (view, at) => view.getInt8(at) },
  C: { bytes: 1, read: (view, at) => view.getUint8(at) },
  s: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  S: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  i: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  I: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  f: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
};

function textValue(bytes: Uint8Array, at: number): { value: string; end: number } {
  const end = bytes.indexOf(0, at);
  if (end === -1) throw new Error('text tag is not terminated');
  return { value: Buffer.from(bytes.subarray(at, end)).toString('latin1'), end: end + 1 };
}

function arrayValue(view: DataView, at: number): { value: string; end: number } {
  const type = String.fromCharCode(view.getUint8(at));
  const number = NUMBERS[type];
  if (number === undefined) throw new Error(`unknown array type ${type}`);
  const count = view.getInt32(at + 1, true);
  const end = at + 5 + count * number.bytes;
  if (count < 0 || end > view.byteLength) throw new Error(`array of ${count} values is truncated`);
  const values = Array.from({ length: count }, (_, i) => number.read(view, at + 5 + i * number.bytes));
  return { value: [type, ...values].join(','), end };
}

/** Decodes the value at `at`, just after the type, to SAM text and returns it with its end. */
function decodeValue(bytes: Uint8Array, type: string, at: number): { samType: string; value: string; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = NUMBERS[type];
  if (number !== undefined) {
    return { samType: type === 'f' ? 'f' : 'i', value: String(number.read(view, at)), end: at + number.bytes };
  }
  if (type === 'A') return { samType: type, value: String.fromCharCode(view.getUint8(at)), end: at + 1 };
  if (type === 'Z' || type === 'H') return { samType: type, ...textValue(bytes, at) };
  if (type === 'B') return { samType: type, ...arrayValue(view, at) };
  throw new Error(`unknown tag type ${type}`);
}

/** Decodes bytes that consist of optional fields. Throws on anything else. */
export function decodeTags(bytes: Uint8Array): BamTag[] {
  const tags: BamTag[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw new Error('truncated tag');
    const [key0 = 0, key1 = 0, type = 0] = bytes.subarray(at, at + 3);
    const key = String.fromCharCode(key0, key1);
    const { samType, value, end } = decodeValue(bytes, String.fromCharCode(type), at + 3);
    tags.push({ key, text: `${key}:${samType}:${value}`, raw: bytes.subarray(at, end) });
    at = end;
  }
  return tags;
}
