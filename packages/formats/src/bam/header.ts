import { FormatError } from '../format-error.js';

export interface BamReference {
  readonly name: string;
  /** Bases. */
  readonly length: number;
}

/** The header of a BAM file (SAMv1 §4.2). */
export interface BamHeader {
  /** The SAM header, without the NULs that may pad it. */
  readonly text: string;
  /** In order: a record's reference is named by its rank here. */
  readonly references: readonly BamReference[];
  /** Uncompressed bytes of the whole header; the first record follows. */
  readonly byteLength: number;
}

/** "BAM\1", read as a little-endian number. */
const MAGIC = 0x014d4142;

/** A reference takes at least l_name, the NUL of an empty name and l_ref. */
const MIN_REFERENCE_LENGTH = 9;

/**
 * Uncompressed bytes of the header that `data` begins with, or undefined while more of them are needed to tell.
 * Throws FormatError INVALID_MAGIC and INVALID_DATA.
 */
export function bamHeaderLength(data: Uint8Array): number | undefined {
  const layout = findLayout(data);
  return layout && walkReferences(data, layout);
}

/** Parses the header that `data` begins with. Throws FormatError, also TRUNCATED where `data` ends within it. */
export function parseBamHeader(data: Uint8Array): BamHeader {
  const references: BamReference[] = [];
  const layout = findLayout(data);
  const byteLength =
    layout && walkReferences(data, layout, (name, length) => references.push({ name: decoder.decode(name), length }));
  if (layout === undefined || byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'the data ends inside the BAM header', { offset: data.length });
  }
  const text = decoder.decode(data.subarray(TEXT_START, layout.textEnd)).replace(/\0+$/, '');
  return { text, references, byteLength };
}

const TEXT_START = 8;
// Not fatal: a header in another encoding than UTF-8 is still served.
const decoder = new TextDecoder();

interface HeaderLayout {
  readonly textEnd: number;
  readonly referenceCount: number;
}

/** The part before the references. */
function findLayout(data: Uint8Array): HeaderLayout | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  if (data.length < TEXT_START) return undefined;
  if (view.getUint32(0, true) !== MAGIC)
    throw new FormatError('INVALID_MAGIC', 'this is not a BAM file', { offset: 0 });
  const textEnd = TEXT_START + view.getUint32(4, true);
  if (data.length < textEnd + 4) return undefined;
  const referenceCount = view.getInt32(textEnd, true);
  if (referenceCount < 0) {
    throw new FormatError('INVALID_DATA', `the header counts ${referenceCount} references`, { offset: textEnd });
  }
  return { textEnd, referenceCount };
}

/** Where the references end, or undefined where the data ends before. */
function walkReferences(
  data: Uint8Array,
  { textEnd, referenceCount }: HeaderLayout,
  visit?: (name: Uint8Array, length: number) => void,
): number | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let at = textEnd + 4;
  for (let referenceId = 0; referenceId < referenceCount; referenceId++) {
    if (data.length - at < MIN_REFERENCE_LENGTH) return undefined;
    const nameLength = view.getInt32(at, true);
    if (nameLength < 1) {
      throw new FormatError('INVALID_DATA', `a reference name has ${nameLength} bytes`, { offset: at });
    }
    const nameEnd = at + 4 + nameLength;
    if (data.length < nameEnd + 4) return undefined;
    if (data[nameEnd - 1] !== 0) {
      throw new FormatError('INVALID_DATA', 'a reference name does not end with NUL', { offset: nameEnd - 1 });
    }
    const length = view.getInt32(nameEnd, true);
    if (length < 0) throw new FormatError('INVALID_DATA', `a reference has ${length} bases`, { offset: nameEnd });
    visit?.(data.subarray(at + 4, nameEnd - 1), length);
    at = nameEnd + 4;
  }
  return at;
}
