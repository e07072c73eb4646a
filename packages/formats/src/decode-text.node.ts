import { Buffer } from 'node:buffer';

/** A method that every Buffer has. */
interface TextSlicer {
  readonly utf8Slice: (this: Uint8Array, start: number, end: number) => string;
}

const { utf8Slice } = Buffer.prototype as unknown as TextSlicer;

/** Decodes the UTF-8 text [start, end). Takes half of the time of a TextDecoder, which needs a view of the bytes. */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return utf8Slice.call(bytes, start, end);
}
