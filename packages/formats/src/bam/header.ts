import { FormatError, invalidData } from '../format-error.js';
import { NameTable } from '../name-table.js';

/** A reference sequence in a BAM header. */
export interface BamReference {
  readonly name: string;
  /** Bases. */
  readonly length: number;
}

/** The header of a BAM file (SAMv1 §4.2). */
export interface BamHeader {
  /** The SAM header, without the NULs that may pad it. */
  readonly text: string;
  /** The reference sequences; records and indexes refer to them by their index here. */
  readonly references: readonly BamReference[];
  /** Uncompressed bytes of the header. The first record follows. */
  readonly byteLength: number;
}

/** "BAM\1" */
const MAGIC = Uint8Array.of(0x42, 0x41, 0x4d, 0x01);

/** Bytes of magic and l_text. */
const TEXT_START = 8;

/** Bytes of l_text, n_ref, l_name and l_ref. */
const INT_BYTES = 4;

// Not fatal: a header that is not UTF-8 can still be served. Reference names are ASCII.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the length in uncompressed bytes of the header that `data` starts with, or undefined if more data is needed. Throws
 * `FormatError` `INVALID_MAGIC` for another format, `INVALID_DATA` for invalid counts and names.
 */
export function bamHeaderLength(data: Uint8Array): number | undefined {
  const layout = findLayout(data);
  return layout && walkReferences(data, layout);
}

/**
 * Parses the header that `data` starts with. Throws what `bamHeaderLength` throws, `FormatError` `TRUNCATED` if the header is
 * incomplete, and `LIMIT_EXCEEDED` for more than `maxReferences` references, before it creates them: each takes about a
 * hundred bytes of memory. Default: no limit.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { gunzipSync } from 'node:zlib';
 * import { parseBamHeader } from '@htskit/formats';
 *
 * const { text, references } = parseBamHeader(gunzipSync(readFileSync('reads.bam')));
 * console.log(text, references[0]?.name);
 * ```
 */
export function parseBamHeader(data: Uint8Array, options: BamHeaderLimits = {}): BamHeader {
  const references: BamReference[] = [];
  const layout = findLayout(data);
  if (layout !== undefined) checkCount(layout, options);
  const byteLength =
    layout && walkReferences(data, layout, (name, length) => references.push({ name: decoder.decode(name), length }));
  if (layout === undefined || byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'data ends within the BAM header', { offset: data.length });
  }
  return { text: decoder.decode(textOf(data, layout.textEnd)), references, byteLength };
}

/** A limit on what a header may declare. */
export interface BamHeaderLimits {
  /** Most references. Default: no limit. */
  readonly maxReferences?: number | undefined;
}

/**
 * Reads a header whose data arrives in parts, and visits each reference once. It keeps the names of references in a compact
 * table: a header of a million references takes a fifth of the memory of `parseBamHeader`.
 *
 * @example
 * ```ts
 * import { BamHeaderReader } from '@htskit/formats';
 *
 * export function countReferences(data: Uint8Array): number {
 *   const reader = new BamHeaderReader();
 *   reader.read(data);
 *   return reader.names.size;
 * }
 * ```
 */
export class BamHeaderReader {
  /** The ids of the references that were read so far. */
  readonly names: NameTable = new NameTable();
  readonly #limits: BamHeaderLimits;
  #layout: HeaderLayout | undefined;
  /** The next reference, and its offset. */
  #referenceId = 0;
  #at = 0;

  constructor(limits: BamHeaderLimits = {}) {
    this.#limits = limits;
  }

  /**
   * Continues with `data`, which starts with that of the call before. Returns the length of the header in bytes, or undefined
   * if more data is needed. Throws what `bamHeaderLength` throws, and LIMIT_EXCEEDED for more references than `maxReferences`.
   */
  read(data: Uint8Array): number | undefined {
    if (this.#layout === undefined) {
      this.#layout = findLayout(data);
      if (this.#layout === undefined) return undefined;
      checkCount(this.#layout, this.#limits);
      this.#at = this.#layout.textEnd + INT_BYTES;
    }
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    for (; this.#referenceId < this.#layout.referenceCount; this.#referenceId++) {
      const reference = referenceAt(data, view, this.#at);
      if (reference === undefined) return undefined;
      this.names.add(data, this.#at + INT_BYTES, reference.nameEnd);
      this.#at = reference.end;
    }
    return this.#at;
  }

  /** Returns the bytes of the SAM header in `data`, which `read` has returned a length for. */
  textBytes(data: Uint8Array): Uint8Array {
    return textOf(data, this.#layout?.textEnd ?? TEXT_START);
  }
}

interface HeaderLayout {
  readonly textEnd: number;
  readonly referenceCount: number;
}

/** Reads the part before the references. Returns undefined if the data ends within it. */
function findLayout(data: Uint8Array): HeaderLayout | undefined {
  if (MAGIC.subarray(0, data.length).some((byte, at) => byte !== data[at])) {
    throw new FormatError('INVALID_MAGIC', 'not BAM data: expected "BAM\\1"', { offset: 0 });
  }
  if (data.length < TEXT_START) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const textEnd = TEXT_START + view.getUint32(MAGIC.length, true);
  if (data.length < textEnd + INT_BYTES) return undefined;
  return { textEnd, referenceCount: readCount(view, textEnd) };
}

function checkCount({ textEnd, referenceCount }: HeaderLayout, { maxReferences = Infinity }: BamHeaderLimits): void {
  if (referenceCount <= maxReferences) return;
  const message = `header has ${referenceCount} references, over the limit of ${maxReferences}`;
  throw new FormatError('LIMIT_EXCEEDED', message, { offset: textEnd });
}

/** Returns the text that ends at `end` without the NULs that may pad it. */
function textOf(data: Uint8Array, end: number): Uint8Array {
  let textEnd = end;
  while (textEnd > TEXT_START && data[textEnd - 1] === 0) textEnd--;
  return data.subarray(TEXT_START, textEnd);
}

/** Calls `visit` for each reference, and returns the offset just after the last. Returns undefined if the data ends before. */
function walkReferences(
  data: Uint8Array,
  { textEnd, referenceCount }: HeaderLayout,
  visit?: (name: Uint8Array, length: number) => void,
): number | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let at = textEnd + INT_BYTES;
  for (let referenceId = 0; referenceId < referenceCount; referenceId++) {
    const reference = referenceAt(data, view, at);
    if (reference === undefined) return undefined;
    visit?.(data.subarray(at + INT_BYTES, reference.nameEnd), reference.length);
    at = reference.end;
  }
  return at;
}

/** Reads the reference at `at`. Returns undefined if the data ends within it. */
function referenceAt(
  data: Uint8Array,
  view: DataView,
  at: number,
): { readonly nameEnd: number; readonly length: number; readonly end: number } | undefined {
  const nameStart = at + INT_BYTES;
  if (data.length < nameStart) return undefined;
  const lengthStart = nameStart + readCount(view, at);
  if (data.length < lengthStart + INT_BYTES) return undefined;
  let nul = nameStart;
  while (nul < lengthStart && data[nul] !== 0) nul++;
  if (nul === lengthStart) throw invalidData('name of a reference does not end with NUL', at);
  return { nameEnd: nul, length: readCount(view, lengthStart), end: lengthStart + INT_BYTES };
}

/** Reads a count or length, which must be below 2^31. */
function readCount(view: DataView, at: number): number {
  const count = view.getInt32(at, true);
  if (count < 0) throw invalidData(`${count} is not a valid count or length`, at);
  return count;
}
