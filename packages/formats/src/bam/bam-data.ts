import { FormatError } from '../format-error.js';

/** Half-open, in bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** A view of `bytes`. */
export function toDataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The error INVALID_DATA for what stands at `at`. */
export function invalidAt(at: number, message: string): FormatError {
  return new FormatError('INVALID_DATA', message, { offset: at });
}
