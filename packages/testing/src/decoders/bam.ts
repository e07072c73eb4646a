import { type BamTag, decodeTags } from './bam-tags.js';
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
