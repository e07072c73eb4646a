import { FormatError } from '../format-error.js';

/** Uncompressed BAM data, in front of which there were `offset` bytes; errors count those too. */
export interface BamData {
  readonly view: DataView;
  readonly offset: number;
}

/** Half-open, in bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** A view of `bytes`, in front of which there were `offset` bytes. */
export function toBamData(bytes: Uint8Array, offset = 0): BamData {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset };
}

/** The error INVALID_DATA for what stands at `at`. */
export function invalidAt({ offset }: BamData, at: number, message: string): FormatError {
  return new FormatError('INVALID_DATA', message, { offset: offset + at });
}
