import { bgunzip, hasEofMarker } from './bgzf.js';

export interface DecodedBamRecord {
  readonly name: string;
  readonly flag: number;
  /** −1 if there is none. */
  readonly referenceId: number;
  /** 0-based. −1 if there is none. */
  readonly position: number;
  /** Half-open end on the reference. A record without bases counts as one base long, as in htslib. */
  readonly end: number;
  readonly mappingQuality: number;
  /** SAM text. A long CIGAR is taken from the CG tag (SAMv1 §4.2.2). */
  readonly cigar: string;
  readonly mateReferenceId: number;
  readonly matePosition: number;
  readonly templateLength: number;
  /** SAM text, `*` if it is missing. */
  readonly bases: string;
  /** SAM text, `*` if it is missing. */
  readonly qualities: string;
  /** The tags in order, without the CG tag of a long CIGAR. */
  readonly tags: readonly BamTag[];
  /** The encoded record, including its block_size field. */
  readonly raw: Uint8Array;
}

export interface DecodedBam {
  readonly headerText: string;
  readonly references: readonly { readonly name: string; readonly length: number }[];
  readonly records: readonly DecodedBamRecord[];
}

export interface DecodeBamOptions {
  /** Default true. */
  readonly requireEof?: boolean;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function terminated(bytes: Uint8Array, what: string): string {
  if (bytes.indexOf(0) !== bytes.length - 1) throw new Error(`${what} is not terminated by its only NUL`);
  return text(bytes.subarray(0, -1));
}

/** Reads consecutive fields and throws at the end of the bytes. */
class Cursor {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    const end = this.at + length;
    if (length < 0 || end > this.#bytes.length) throw new Error(`truncated: ${length} bytes expected at ${this.at}`);
    this.at = end;
    return this.#bytes.subarray(end - length, end);
  }

  int32(): number {
    this.take(4);
    return this.#view.getInt32(this.at - 4, true);
  }

  uint16(): number {
    this.take(2);
    return this.#view.getUint16(this.at - 2, true);
  }
}

function decodeCigar(bytes: Uint8Array): [number, string][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, i) => {
    const operation = view.getUint32(4 * i, true);
    const letter = 'MIDNSHP=X'[operation & 15];
    if (letter === undefined) throw new Error(`unknown CIGAR operation ${operation & 15}`);
    return [operation >>> 4, letter];
  });
}

/** Returns the CIGAR. A long one is in the tag CG:B:I and has the placeholder kSmN (SAMv1 §4.2.2). */
function resolveCigar(
  cigar: [number, string][],
  tags: BamTag[],
  baseCount: number,
): { cigar: [number, string][]; tags: BamTag[] } {
  const [clip, skip] = cigar;
  const isPlaceholder = cigar.length === 2 && clip?.[1] === 'S' && clip[0] === baseCount && skip?.[1] === 'N';
  const long = tags.find(({ key }) => key === 'CG');
  if (!isPlaceholder || long === undefined) return { cigar, tags };
  return { cigar: decodeCigar(long.raw.subarray(8)), tags: tags.filter((tag) => tag !== long) };
}

function decodeBases(packed: Uint8Array, count: number): string {
  if (count === 0) return '*';
  const letters = Array.from({ length: count }, (_, i) => {
    const pair = packed[i >>> 1] ?? 0;
    return '=ACMGRSVTWYHKDBN'[i % 2 === 0 ? pair >>> 4 : pair & 15];
  });
  return letters.join('');
}

function decodeQualities(bytes: Uint8Array): string {
  if (bytes.length === 0 || bytes[0] === 0xff) return '*';
  return String.fromCharCode(...Array.from(bytes, (quality) => quality + 33));
}

/** Decodes one record (SAMv1 §4.2). */
function decodeRecord(raw: Uint8Array, referenceCount: number): DecodedBamRecord {
  const cursor = new Cursor(raw.subarray(4));
  const referenceId = cursor.int32();
  const position = cursor.int32();
  const [nameLength = 0, mappingQuality = 0] = cursor.take(2);
  cursor.uint16();
  const operationCount = cursor.uint16();
  const flag = cursor.uint16();
  const baseCount = cursor.int32();
  const mateReferenceId = cursor.int32();
  for (const id of [referenceId, mateReferenceId]) {
    if (id < -1 || id >= referenceCount) throw new Error(`reference ${id} is not in the header`);
  }
  const fixed = { flag, referenceId, position, mappingQuality, mateReferenceId, matePosition: cursor.int32() };
  const templateLength = cursor.int32();
  const name = terminated(cursor.take(nameLength), 'read name');
  const shortCigar = decodeCigar(cursor.take(4 * operationCount));
  const bases = decodeBases(cursor.take((baseCount + 1) >>> 1), baseCount);
  const qualities = decodeQualities(cursor.take(baseCount));
  const allTags = decodeTags(cursor.take(raw.length - 4 - cursor.at));
  const { cigar, tags } = resolveCigar(shortCigar, allTags, baseCount);
  const span = cigar.reduce((sum, [length, letter]) => sum + ('MDN=X'.includes(letter) ? length : 0), 0);
  const end = position + ((flag & 4) === 0 && span > 0 ? span : 1);
  const cigarText = cigar.length === 0 ? '*' : cigar.map(([length, letter]) => `${length}${letter}`).join('');
  return { ...fixed, name, end, cigar: cigarText, templateLength, bases, qualities, tags, raw };
}

/**
 * Decodes a whole BAM file (SAMv1 §4.2), as an oracle: slow, plain, and strict.
 *
 * Throws on an invalid or truncated block, header or record, on anything after the last record, and on a missing EOF marker
 * unless `requireEof` is false.
 */
export function decodeBam(bytes: Uint8Array, { requireEof = true }: DecodeBamOptions = {}): DecodedBam {
  if (requireEof && !hasEofMarker(bytes)) throw new Error('no EOF marker');
  const cursor = new Cursor(bgunzip(bytes));
  if (text(cursor.take(4)) !== 'BAM\x01') throw new Error('no BAM magic');
  const headerText = text(cursor.take(cursor.int32())).replace(/\0+$/, '');
  const referenceCount = cursor.int32();
  if (referenceCount < 0) throw new Error(`${referenceCount} references`);
  const references: { name: string; length: number }[] = [];
  while (references.length < referenceCount) {
    references.push({ name: terminated(cursor.take(cursor.int32()), 'reference name'), length: cursor.int32() });
  }
  const records: DecodedBamRecord[] = [];
  while (!cursor.isAtEnd) {
    const start = cursor.at;
    const length = cursor.int32();
    cursor.at = start;
    records.push(decodeRecord(cursor.take(4 + length), referenceCount));
  }
  return { headerText, references, records };
}

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
