import { crc32, deflateRawSync } from 'node:zlib';

/** The parts of a block; each replaces the correct value. */
export interface BlockParts {
  readonly data?: Uint8Array;
  /** DEFLATE data. */
  readonly deflated?: Uint8Array;
  /** The bytes of all extra subfields, including BC. */
  readonly extra?: readonly (number | 'BSIZE')[];
  readonly crc?: number;
  readonly isize?: number;
  readonly bsize?: number;
}

/** 'B', 'C', SLEN 2, BSIZE. */
export const BC: readonly (number | 'BSIZE')[] = [0x42, 0x43, 2, 0, 'BSIZE'];

export function buildBlock(parts: BlockParts = {}): Uint8Array {
  const { data = new Uint8Array(0), extra = BC } = parts;
  const deflated = parts.deflated ?? deflateRawSync(data);
  const xlen = extra.length + extra.filter((item) => item === 'BSIZE').length;
  const bsize = parts.bsize ?? 12 + xlen + deflated.length + 8 - 1;
  const extraBytes = extra.flatMap((item) => (item === 'BSIZE' ? u16(bsize) : [item]));
  return Uint8Array.from([
    ...[0x1f, 0x8b, 8, 4], // ID1, ID2, CM, FLG
    ...[0, 0, 0, 0, 0, 0xff], // MTIME, XFL, OS
    ...u16(xlen),
    ...extraBytes,
    ...deflated,
    ...u32(parts.crc ?? crc32(data)),
    ...u32(parts.isize ?? data.length),
  ]);
}

export function u16(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff];
}

export function u32(value: number): number[] {
  return [...u16(value), ...u16(value >>> 16)];
}

/** A file of blocks and its contents. */
export interface BuiltFile {
  readonly bytes: Uint8Array;
  readonly data: Uint8Array;
  readonly blocks: readonly { readonly coffset: number; readonly bytes: Uint8Array; readonly data: Uint8Array }[];
}

export function buildFile(contents: readonly Uint8Array[]): BuiltFile {
  let coffset = 0;
  const blocks = contents.map((data) => {
    const block = { coffset, bytes: buildBlock({ data }), data };
    coffset += block.bytes.length;
    return block;
  });
  return { bytes: joinBytes(blocks.map(({ bytes }) => bytes)), data: joinBytes(contents), blocks };
}

/** Concatenates byte arrays to a plain array. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
