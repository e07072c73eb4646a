import { FormatError } from '../format-error.js';

/** A reference sequence as a BAM header names it. */
export interface BamReference {
  readonly name: string;
  /** Bases. */
  readonly length: number;
}

/** The header of a BAM file (SAMv1 §4.2). */
export interface BamHeader {
  /** The SAM header, without the NULs that may pad it. */
  readonly text: string;
  /** In order: the rank of a reference here is its id in records and indexes. */
  readonly references: readonly BamReference[];
  /** Uncompressed bytes of the whole header; the first record follows. */
  readonly byteLength: number;
}

/** "BAM\1" */
const MAGIC = Uint8Array.of(0x42, 0x41, 0x4d, 0x01);

/** Bytes of magic and l_text. */
const TEXT_START = 8;

/** Bytes of a number. */
const INT_BYTES = 4;

// Not fatal: a header in another encoding than UTF-8 is still served. Its names are ASCII.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Uncompressed bytes of the header that `data` begins with, or undefined while more of them are needed to tell. Throws
 * `FormatError` INVALID_MAGIC, and INVALID_DATA for counts and names that cannot be.
 */
export function bamHeaderLength(data: Uint8Array): number | undefined {
  const layout = findLayout(data);
  return layout && walkReferences(data, layout);
}

/**
 * Parses the header that `data` begins with. Throws as `bamHeaderLength`, TRUNCATED where `data` ends within it, and
 * LIMIT_EXCEEDED, before any is decoded, for more than `maxReferences` references: each takes some hundred bytes.
 */
export function parseBamHeader(data: Uint8Array, options: { readonly maxReferences?: number } = {}): BamHeader {
  const { maxReferences = Number.POSITIVE_INFINITY } = options;
  const references: BamReference[] = [];
  const layout = findLayout(data);
  if (layout !== undefined && layout.referenceCount > maxReferences) {
    const message = `the header has ${layout.referenceCount} references, more than ${maxReferences}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: layout.textEnd });
  }
  const byteLength =
    layout && walkReferences(data, layout, (name, length) => references.push({ name: decoder.decode(name), length }));
  if (layout === undefined || byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'the data ends inside the header', { offset: data.length });
  }
  let textEnd = layout.textEnd;
  while (textEnd > TEXT_START && data[textEnd - 1] === 0) textEnd--;
  return { text: decoder.decode(data.subarray(TEXT_START, textEnd)), references, byteLength };
}

interface HeaderLayout {
  readonly textEnd: number;
  readonly referenceCount: number;
}

/** The part before the references; undefined where the data ends inside of it. */
function findLayout(data: Uint8Array): HeaderLayout | undefined {
  if (MAGIC.subarray(0, data.length).some((byte, at) => byte !== data[at])) {
    throw new FormatError('INVALID_MAGIC', 'uncompressed BAM begins with "BAM\\1"', { offset: 0 });
  }
  if (data.length < TEXT_START) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const textEnd = TEXT_START + view.getUint32(MAGIC.length, true);
  if (data.length < textEnd + INT_BYTES) return undefined;
  return { textEnd, referenceCount: readCount(view, textEnd) };
}

/** Where the references end; undefined where the data ends before. */
function walkReferences(
  data: Uint8Array,
  { textEnd, referenceCount }: HeaderLayout,
  visit?: (name: Uint8Array, length: number) => void,
): number | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let at = textEnd + INT_BYTES;
  for (let referenceId = 0; referenceId < referenceCount; referenceId++) {
    const nameStart = at + INT_BYTES;
    if (data.length < nameStart) return undefined;
    const nameEnd = nameStart + readCount(view, at);
    if (data.length < nameEnd + INT_BYTES) return undefined;
    const nul = data.indexOf(0, nameStart);
    if (nul === -1 || nul >= nameEnd) {
      throw new FormatError('INVALID_DATA', 'the name of a reference does not end with NUL', { offset: at });
    }
    const length = readCount(view, nameEnd);
    visit?.(data.subarray(nameStart, nul), length);
    at = nameEnd + INT_BYTES;
  }
  return at;
}

/** A count or length of a reference, which is below 2^31. */
function readCount(view: DataView, at: number): number {
  const count = view.getInt32(at, true);
  if (count < 0) throw new FormatError('INVALID_DATA', `${count} is no count or length`, { offset: at });
  return count;
}
