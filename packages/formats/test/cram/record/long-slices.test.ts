import { describe, expect, test } from 'vitest';
import { type BamInterval, type CramDecoderOptions, createCramDecoder } from '../../../src/index.js';
import { block, CRAM_2_1, constant, containerOf, encoding, external, itf8, simple } from '../build-cram.js';
import { rejection } from './decode-slices.js';

const LENGTH = 2 ** 21;
const HEADER = { version: CRAM_2_1, text: '', references: [{ name: 'one', length: 2 ** 30 }], byteLength: 0 };
/** Flags of CRAM records: with qualities, and with a mate that follows in the slice. */
const [QUALITIES, MATE] = [1, 4];

/** Creates the container of ten records of two million bases, each the mate of the record five before it. */
function longSlice(names: readonly string[] = []): ReturnType<typeof containerOf> {
  const starts = Array.from({ length: 10 }, (_, record) => 1 + 1000 * record);
  const flags = starts.map((_, record) => (record < 5 ? QUALITIES | MATE : QUALITIES));
  const blocks = [
    block('core', 0, []),
    block('external', 10, starts.flatMap(itf8)),
    block('external', 12, flags.flatMap(itf8)),
    block(
      'external',
      9,
      names.flatMap((name) => [...new TextEncoder().encode(name), 0]),
    ),
  ];
  const lengths = { RL: constant(LENGTH), BA: constant(0x41), QS: constant(30) };
  const series = { ...simple, ...lengths, AP: external(10), CF: external(12), NF: constant(4), RN: encoding(5, 0, 9) };
  const slice = { referenceId: 0, start: 1, span: 2 ** 22, recordCount: starts.length, blocks };
  return containerOf({ series, hasReadNames: names.length > 0 }, slice);
}

/** Decodes the container to pieces of whole records. */
async function decode(
  { bytes, header }: ReturnType<typeof containerOf>,
  options: Partial<CramDecoderOptions> = {},
): Promise<Uint8Array[]> {
  const decoder = createCramDecoder({ header: HEADER, namePrefix: 'p', ...options });
  const pieces: Uint8Array[] = [];
  for await (const piece of decoder.decode(bytes, { header })) pieces.push(piece);
  return pieces;
}

/** Returns the names, flags, positions, mate positions and template lengths of the records (SAMv1 §4.2). */
function columns(pieces: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const view = new DataView(piece.buffer, piece.byteOffset, piece.length);
    for (let at = 0; at < piece.length; at += 4 + view.getUint32(at, true)) {
      expect(view.getUint32(at + 20, true)).toBe(LENGTH);
      const name = Buffer.from(piece.subarray(at + 36, at + 36 + view.getUint8(at + 12) - 1)).toString();
      const numbers = [view.getUint16(at + 18, true), ...[8, 28, 32].map((field) => view.getInt32(at + field, true))];
      lines.push([name, ...numbers].join(' '));
    }
  }
  return lines;
}

describe('a slice of many bytes', () => {
  test('is decoded in pieces of whole records, with the fields of mates in other pieces', async () => {
    const pieces = await decode(longSlice());
    expect(pieces.length).toBeGreaterThan(9);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 * LENGTH);
    const lines = columns(pieces);
    expect([lines[0], lines[4], lines[5], lines[9]]).toEqual([
      'p:1 1 0 5000 2102152',
      'p:5 1 4000 9000 2102152',
      'p:1 1 5000 0 -2102152',
      'p:5 1 9000 4000 -2102152',
    ]);
  });

  test('keeps the stored names', async () => {
    const names = Array.from({ length: 10 }, (_, record) => `name${record}`);
    expect(columns(await decode(longSlice(names))).map((line) => line.split(' ')[0])).toEqual(names);
  });

  test('has only the records that overlap an interval', async () => {
    const all = columns(await decode(longSlice()));
    const intervals: BamInterval[] = [{ referenceId: 0, start: LENGTH + 500, end: LENGTH + 600 }];
    const kept = await decode(longSlice(), { intervals });
    expect(kept.length).toBeGreaterThan(8);
    expect(columns(kept)).toEqual(all.slice(1));
  });

  test('is refused beyond the limit of its blocks', async () => {
    const limits = { sliceBytes: 20 };
    expect(await rejection(decode(longSlice(), { limits }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('(limits.sliceBytes)') as string,
    });
  });
});
