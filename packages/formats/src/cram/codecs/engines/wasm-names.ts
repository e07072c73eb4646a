import type { TokenStreams } from '../name-tokens.js';

/** The exports of assembly/entropy.ts that decode names. A declaration cannot name the types of WebAssembly: not every library has them. */
export interface NameExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly writeAhead: { readonly value: number };
  allocate(length: number): number;
  decodeNames(...parameters: number[]): number;
}

/** The memory of a stream is its next byte and its end; that of names and tokens is in assembly/names.ts. */
const STREAM_WORDS = 2;
const STREAM_BYTES = 8;
const NAME_BYTES = 16;
const TOKEN_BYTES = 12;

/** Names that take more memory are decoded in JavaScript. Those of 10,000 reads take three million bytes. */
const MAX_BYTES = 2 ** 28;

/** Decodes names in WebAssembly. Returns undefined if they are damaged or take too much memory. */
export function decodeNames(
  exports: NameExports,
  { streams, positionCount, tokenCount }: TokenStreams,
  { nameCount, size }: { readonly nameCount: number; readonly size: number },
): Uint8Array | undefined {
  const inputBytes = streams.reduce((sum, stream) => sum + stream.length, 0);
  if (inputBytes + size + NAME_BYTES * nameCount + TOKEN_BYTES * tokenCount > MAX_BYTES) return undefined;
  const table = exports.allocate(STREAM_BYTES * streams.length);
  const input = exports.allocate(inputBytes);
  const output = exports.allocate(size + exports.writeAhead.value);
  const words = new Uint32Array(exports.memory.buffer, table, STREAM_WORDS * streams.length);
  const bytes = new Uint8Array(exports.memory.buffer, input, inputBytes);
  let at = 0;
  for (const [slot, stream] of streams.entries()) {
    bytes.set(stream, at);
    words[STREAM_WORDS * slot] = input + at;
    at += stream.length;
    words[STREAM_WORDS * slot + 1] = input + at;
  }
  if (exports.decodeNames(table, positionCount, tokenCount, nameCount, output, size) === 0) return undefined;
  return new Uint8Array(exports.memory.buffer, output, size).slice();
}
