import { decodeText } from '@htskit/io';
import { FormatError, invalidData } from '../format-error.js';
import type { HeaderReader } from '../records/header-buffer.js';
import { NameTable } from '../records/name-table.js';

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

/**
 * Parses the header that `data` starts with. Throws `FormatError` `INVALID_MAGIC` for another format, `INVALID_DATA` for invalid
 * counts and names, `TRUNCATED` if the header is incomplete, and `LIMIT_EXCEEDED` for more than `maxReferences` references, before
 * it creates them: each takes about a hundred bytes of memory. Default: no limit.
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
  const end =
    layout &&
    walkReferences(data, { count: layout.referenceCount, at: layout.textEnd + INT_BYTES }, (start, nameEnd, length) => {
      references.push({ name: decodeText(data, start, nameEnd), length });
    });
  if (end?.count !== 0) {
    throw new FormatError('TRUNCATED', 'data ends within the BAM header', { offset: data.length });
  }
  return { text: decodeText(textOf(data, layout?.textEnd ?? TEXT_START)), references, byteLength: end.at };
}

/** A limit on what a header may declare. */
export interface BamHeaderLimits {
  /** The maximum number of references. Default: no limit. */
  readonly maxReferences?: number;
}

/**
 * Reads a header whose data arrives in parts, and visits each reference once. It keeps the names of references in a compact
 * table: a header of a million references takes a fifth of the memory of `parseBamHeader`.
 */
export class BamHeaderReader implements HeaderReader {
  /** The ids of the references that were read so far. */
  readonly referenceIds: NameTable = new NameTable();
  readonly #limits: BamHeaderLimits;
  #layout: HeaderLayout | undefined;
  #rest: ReferenceList = { count: 0, at: 0 };

  constructor(limits: BamHeaderLimits = {}) {
    this.#limits = limits;
  }

  /** Throws what `parseBamHeader` throws, except `TRUNCATED`. */
  read(data: Uint8Array): number | undefined {
    if (this.#layout === undefined) {
      this.#layout = findLayout(data);
      if (this.#layout === undefined) return undefined;
      checkCount(this.#layout, this.#limits);
      this.#rest = { count: this.#layout.referenceCount, at: this.#layout.textEnd + INT_BYTES };
    }
    this.#rest = walkReferences(data, this.#rest, (start, nameEnd) => this.referenceIds.add(data, start, nameEnd));
    return this.#rest.count === 0 ? this.#rest.at : undefined;
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

/** References that have not been read yet: their count, and the offset of the first. */
interface ReferenceList {
  readonly count: number;
  readonly at: number;
}

/** Calls `visit` for each reference that `data` holds as a whole, and returns the others. */
function walkReferences(
  data: Uint8Array,
  { count, at: start }: ReferenceList,
  visit: (nameStart: number, nameEnd: number, length: number) => void,
): ReferenceList {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let at = start;
  for (let left = count; left > 0; left--) {
    const reference = referenceAt(data, view, at);
    if (reference === undefined) return { count: left, at };
    visit(at + INT_BYTES, reference.nameEnd, reference.length);
    at = reference.end;
  }
  return { count: 0, at };
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
