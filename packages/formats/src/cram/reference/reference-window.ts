import { createMd5 } from '@htskit/digest';
import { toHex } from '@htskit/io';
import { viewOf } from '../../bytes/copy-bytes.js';
import { FormatError } from '../../format-error.js';
import type { CramReference } from '../container/file-header.js';
import type { StoredSlice } from '../slice/stored-slice.js';

/** Bases of a reference that a slice needs. */
export interface CramReferenceRequest {
  readonly name: string;
  /** Bases of the whole reference. */
  readonly length: number;
  /** The MD5 of the whole reference in lower-case hexadecimal digits, if the header has it. */
  readonly md5: string | undefined;
  /** The URI of the sequence (`UR`), if the header has it. A source must not trust it: it may name any file. */
  readonly uri?: string;
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal | undefined;
}

/** Returns the requested bases as ASCII letters of any case; undefined if the reference is not available. */
export type CramReferenceSource = (request: CramReferenceRequest) => Promise<Uint8Array | undefined>;

/** Bases of a reference. */
export interface ReferenceWindow {
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
  /** Letters in upper case. */
  readonly bases: Uint8Array;
  /** A view of `bases`. */
  readonly view: DataView;
  /** Whether any base is N. */
  readonly hasN: boolean;
}

/** The reference that a record is aligned to. */
export interface AlignedReference {
  readonly window: ReferenceWindow;
  /** Bases of the whole reference. */
  readonly length: number;
}

/** The source of the bases, and the slice that needs them. */
export interface ReferenceFetch {
  readonly reference: CramReference;
  readonly slice: StoredSlice;
  readonly source: CramReferenceSource | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Fetches the bases [start, end) of a reference, clipped to its length, in upper case. Throws `FormatError`
 * `MISSING_REFERENCE` if they are not available, `REFERENCE_MISMATCH` if they are fewer than requested, and `LIMIT_EXCEEDED`
 * beyond the budget.
 */
export async function fetchWindow(
  { reference, slice, source, signal }: ReferenceFetch,
  bounds: { readonly start: number; readonly end: number },
): Promise<ReferenceWindow> {
  const end = Math.min(bounds.end, reference.length);
  const start = Math.min(Math.max(bounds.start, 0), end);
  if (start === end) return toWindow(start, end, new Uint8Array(0));
  slice.budget.spendBytes(end - start, slice.offset);
  slice.hold(end - start);
  const { name, length, md5, uri } = reference;
  const bases = await source?.({ name, length, md5, uri, start, end, signal });
  if (bases === undefined) {
    const message = `reference "${name}" (${md5 === undefined ? 'without MD5' : `MD5 ${md5}`}) is not available`;
    throw new FormatError('MISSING_REFERENCE', message, { offset: slice.offset });
  }
  if (bases.length !== end - start) {
    const message = `reference "${name}" has ${bases.length} bases from ${start} to ${end}`;
    throw new FormatError('REFERENCE_MISMATCH', message, { offset: slice.offset });
  }
  return toWindow(start, end, toUpperCase(bases));
}

/** Creates a window of bases in upper case. */
export function toWindow(start: number, end: number, { buffer, byteOffset, length }: Uint8Array): ReferenceWindow {
  // Not a Buffer, whose views take several times as long to create.
  const bases = new Uint8Array(buffer, byteOffset, length);
  return { start, end, bases, view: viewOf(bases), hasN: bases.includes(BASE_N) };
}

/** Returns a base of a window; undefined outside of it. */
export function baseAt({ bases, start }: ReferenceWindow, position: number): number | undefined {
  return position < start ? undefined : bases[position - start];
}

const BASE_N = 0x4e;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const CASE_BIT = 0x20;
/** The case bits of four bases. */
const CASE_BITS = 0x20202020;

/** Returns the bases themselves if none is in lower case. Loops, because a callback takes ten times as long. */
function toUpperCase(bases: Uint8Array): Uint8Array {
  // The bases in lower case have a bit that those in upper case lack. No branch: it takes a fourth of the time.
  const view = viewOf(bases);
  let bits = 0;
  let at = 0;
  for (; at + 4 <= bases.length; at += 4) bits |= view.getInt32(at, true);
  for (; at < bases.length; at++) bits |= bases[at] ?? 0;
  if ((bits & CASE_BITS) === 0) return bases;
  const upper = new Uint8Array(bases);
  for (at = 0; at < upper.length; at++) {
    const base = upper[at] ?? 0;
    if (base >= LOWER_A && base <= LOWER_Z) upper[at] = base - CASE_BIT;
  }
  return upper;
}

/** Throws `FormatError` `REFERENCE_MISMATCH` if the MD5 of the bases is not that of the slice, if it has one. */
export function checkReferenceMd5({ bases }: ReferenceWindow, { header, offset }: StoredSlice, name: string): void {
  const expected = toHex(header.referenceMd5);
  if (/^0*$/.test(expected)) return;
  const md5 = createMd5();
  md5.update(bases);
  const actual = toHex(md5.digest());
  if (actual !== expected) {
    const { alignmentStart, alignmentSpan } = header;
    const range = `${alignmentStart}-${alignmentStart + alignmentSpan - 1}`;
    const message = `MD5 of reference "${name}" at ${range} is ${actual}, but the slice was written with ${expected}`;
    throw new FormatError('REFERENCE_MISMATCH', message, { offset });
  }
}
