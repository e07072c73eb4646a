import { Buffer } from 'node:buffer';

/** A method that every Buffer has. */
interface TextSlicer {
  readonly utf8Slice: (this: Uint8Array, start: number, end: number) => string;
  readonly latin1Slice: (this: Uint8Array, start: number, end: number) => string;
}

const { latin1Slice, utf8Slice } = Buffer.prototype as unknown as TextSlicer;

/** Decodes the UTF-8 text [start, end). Takes half of the time of a TextDecoder, which needs a view of the bytes. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return utf8Slice.call(bytes, start, end);
}

/** Decodes the ASCII text [start, end). */
export function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  return latin1Slice.call(bytes, start, end);
}
