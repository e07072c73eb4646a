import { ByteCursor } from '../../src/cram/byte-cursor.js';
import { blockData, readBlock } from '../../src/cram/container/block.js';
import type { CramSliceSpan } from '../../src/cram/slice/slice-spans.js';
import type { CramContainerHeader } from '../../src/index.js';
import { type CramVersion, parseCramSliceSpans } from '../../src/internal.js';

/** Bytes of CRAM 2.1, which has no checksums, for tests that spell out each of them. */
export type Bytes = readonly number[];

const CONTENT = { compressionHeader: 1, sliceHeader: 2, external: 4, core: 5 } as const;

/** Encodes a number below 2^28, or a negative one, as ITF8. */
export function itf8(value: number): number[] {
  if (value < 0) {
    const bits = value >>> 0;
    return [0xf0 | (bits >>> 28), (bits >>> 20) & 0xff, (bits >>> 12) & 0xff, (bits >>> 4) & 0xff, bits & 0x0f];
  }
  if (value < 2 ** 7) return [value];
  if (value < 2 ** 14) return [0x80 | (value >>> 8), value & 0xff];
  if (value < 2 ** 21) return [0xc0 | (value >>> 16), (value >>> 8) & 0xff, value & 0xff];
  return [0xe0 | (value >>> 24), (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

/** Builds an uncompressed block. */
export function block(content: keyof typeof CONTENT, contentId: number, data: Bytes): number[] {
  const size = itf8(data.length);
  return [0, CONTENT[content], ...itf8(contentId), ...size, ...size, ...data];
}

/** Builds an encoding with its parameters. */
export function encoding(id: number, ...parameters: number[]): number[] {
  return [id, ...itf8(parameters.length), ...parameters];
}

export const external = (contentId: number): number[] => encoding(1, ...itf8(contentId));
export const beta = (offset: number, bits: number): number[] => encoding(6, ...itf8(offset), bits);
/** Builds an encoding of a constant, which takes no bits. */
export const constant = (value: number): number[] => encoding(3, 1, ...itf8(value), 1, 0);
export const huffman = (symbols: readonly number[], lengths: readonly number[]): number[] =>
  encoding(3, symbols.length, ...symbols.flatMap(itf8), lengths.length, ...lengths);

function map(entries: readonly Bytes[]): number[] {
  const body = [...itf8(entries.length), ...entries.flat()];
  return [...itf8(body.length), ...body];
}

const letters = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0));

export interface CompressionParts {
  /** The encoding of each data series, by its two letters. */
  readonly series: Readonly<Record<string, Bytes>>;
  readonly hasReadNames?: boolean;
  readonly hasPositionDeltas?: boolean;
  readonly needsReference?: boolean;
  /** The substitution matrix. By default, the codes of the other bases ascend. */
  readonly matrix?: Bytes;
  /** Tags of each tag line, such as `['NMC']`, and their encodings. */
  readonly tagLines?: readonly (readonly string[])[];
  readonly tags?: Readonly<Record<string, Bytes>>;
}

/** Builds the block of a compression header. */
export function compressionHeader(parts: CompressionParts): number[] {
  const { series, hasReadNames = false, hasPositionDeltas = false, needsReference = false } = parts;
  const { matrix = [0x1b, 0x1b, 0x1b, 0x1b, 0x1b], tagLines = [[]], tags = {} } = parts;
  const dictionary = tagLines.flatMap((line) => [...letters(line.join('')), 0]);
  const preservation = [
    [...letters('RN'), Number(hasReadNames)],
    [...letters('AP'), Number(hasPositionDeltas)],
    [...letters('RR'), Number(needsReference)],
    [...letters('SM'), ...matrix],
    [...letters('TD'), ...itf8(dictionary.length), ...dictionary],
  ];
  const tagKey = (tag: string): number[] => itf8(letters(tag).reduce((key, byte) => key * 256 + byte, 0));
  return block('compressionHeader', 0, [
    ...map(preservation),
    ...map(Object.entries(series).map(([name, bytes]) => [...letters(name), ...bytes])),
    ...map(Object.entries(tags).map(([tag, bytes]) => [...tagKey(tag), ...bytes])),
  ]);
}

export interface SliceParts {
  readonly referenceId?: number;
  readonly start?: number;
  readonly span?: number;
  readonly recordCount: number;
  readonly blocks: readonly Bytes[];
  /** Records in earlier slices. */
  readonly recordCounter?: number;
  readonly embeddedReferenceId?: number;
  readonly md5?: Bytes;
}

/** Builds the header of a slice and its blocks. */
export function slice({ referenceId = -2, start = 0, span = 0, recordCount, blocks, ...rest }: SliceParts): number[] {
  const { recordCounter = 0, embeddedReferenceId = -1, md5 = new Array<number>(16).fill(0) } = rest;
  const header = [referenceId, start, span, recordCount, recordCounter, blocks.length, 0, embeddedReferenceId];
  return [...block('sliceHeader', 0, [...header.flatMap(itf8), ...md5]), ...blocks.flat()];
}

/** Packs bits, given as text, into bytes for the core block. The last byte is padded with zeros. */
export function bits(...texts: string[]): number[] {
  const text = texts.join('').replaceAll(' ', '');
  return Array.from({ length: Math.ceil(text.length / 8) }, (_, at) =>
    Number.parseInt(text.slice(8 * at, 8 * at + 8).padEnd(8, '0'), 2),
  );
}

export const CRAM_2_1: CramVersion = { major: 2, minor: 1 };

export function headerOf(length: number, landmarks: readonly number[]): CramContainerHeader {
  const counts = { recordCount: 0, recordCounter: 0, baseCount: 0, blockCount: 0 };
  return { headerLength: 20, length, referenceId: -2, alignmentStart: 0, alignmentSpan: 0, ...counts, landmarks };
}

/** Builds the blocks of a container, and its header. */
export function containerOf(
  compression: CompressionParts,
  ...slices: readonly SliceParts[]
): { readonly bytes: Uint8Array; readonly header: CramContainerHeader } {
  const bytes = compressionHeader(compression);
  const landmarks: number[] = [];
  for (const parts of slices) {
    landmarks.push(bytes.length);
    bytes.push(...slice(parts));
  }
  return { bytes: Uint8Array.from(bytes), header: headerOf(bytes.length, landmarks) };
}

/** Returns the spans of the slices of a container that starts at byte 1000 of a file. */
export function spansOf(compression: CompressionParts, ...slices: readonly SliceParts[]): CramSliceSpan[] {
  const { bytes, header } = containerOf(compression, ...slices);
  return [...parseCramSliceSpans(bytes, { version: CRAM_2_1, header, offset: 1000 })];
}

/** Formats spans as reference, first and last base. */
export function places(spans: readonly CramSliceSpan[]): string[] {
  return spans.map(({ referenceId, alignmentStart, alignmentSpan }) => {
    return `${referenceId}:${alignmentStart}-${alignmentStart + alignmentSpan - 1}`;
  });
}

/** Returns the error that an attempt throws, or undefined if it succeeds. */
export function failure(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Mapped records of 10 bases that match the reference. The core block has the reference of each in two bits. */
export const simple = {
  BF: constant(0),
  CF: constant(0),
  RI: beta(1, 2),
  RL: constant(10),
  AP: external(1),
  RG: constant(-1),
  TL: constant(0),
  FN: constant(0),
  MQ: constant(0),
};

/** Converts blocks to CRAM 2.1, which has no checksums that would detect damage. */
export function withoutChecksums(bytes: Uint8Array, version: CramVersion): Uint8Array {
  const cursor = new ByteCursor(bytes);
  const plain: number[] = [];
  while (cursor.remaining > 0) {
    const { checksum } = readBlock(cursor, version);
    plain.push(...(checksum?.covered ?? []));
  }
  return Uint8Array.from(plain);
}

/** Converts blocks to uncompressed ones of CRAM 2.1, so that damage reaches what reads them. */
export function uncompressed(bytes: Uint8Array, version: CramVersion): Uint8Array {
  const cursor = new ByteCursor(bytes);
  const plain: number[] = [];
  while (cursor.remaining > 0) {
    const stored = readBlock(cursor, version);
    const data = blockData(stored);
    plain.push(0, stored.contentType, ...itf8(stored.contentId), ...itf8(data.length), ...itf8(data.length));
    for (const byte of data) plain.push(byte);
  }
  return Uint8Array.from(plain);
}
