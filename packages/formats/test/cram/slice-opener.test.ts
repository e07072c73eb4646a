import { createRandom, fixtureNames, fixturePath, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createBamFilter, parseCramContainerHeader, parseCramHeader } from '../../src/index.js';
import { type CramSlice, createCramSliceOpener, groupIntervals } from '../../src/internal.js';
import { block, CRAM_2_1, constant, containerOf, encoding, external, huffman, itf8, simple } from './build-cram.js';
import { decodeCram, fastaSource } from './decode-cram.js';

const reference = fastaSource(fixturePath('genome.fa'));

interface Interval {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the records of slices that overlap an interval. */
function recordsOf(slices: readonly CramSlice[], intervals: readonly Interval[]): Buffer {
  const filter = createBamFilter(intervals);
  const byReference = groupIntervals(intervals, ({ referenceId }) => referenceId);
  const pages = slices.flatMap((slice) => Array.from(slice.near(byReference)));
  return Buffer.concat([...pages.flatMap((page) => filter.push(page)), ...filter.finish()]);
}

/** Opens the slices of a file, and overwrites the bytes of each container. */
async function openFile(bytes: Uint8Array): Promise<CramSlice[]> {
  const header = parseCramHeader(bytes);
  const opener = createCramSliceOpener({ header, reference });
  const slices: CramSlice[] = [];
  for (let offset = header.byteLength; offset < bytes.length; ) {
    const container = parseCramContainerHeader(bytes.subarray(offset), { version: header.version, offset });
    if (container === undefined) throw new Error('the file is truncated');
    offset += container.headerLength;
    const blocks = bytes.slice(offset, offset + container.length);
    for await (const slice of opener.open(blocks, { header: container, offset })) slices.push(slice);
    blocks.fill(0);
    offset += container.length;
  }
  return slices;
}

describe('slices that are opened', () => {
  test.each(fixtureNames('.cram'))('have the records of %s, in any order and without its bytes', async (name) => {
    const bytes = readFixture(name);
    const { references } = parseCramHeader(bytes);
    const { records } = await decodeCram(bytes, { reference });
    const slices = await openFile(bytes);
    const random = createRandom(5);
    const below = (limit: number): number => Math.floor(random() * limit);
    for (let pass = 0; pass < volume(30); pass++) {
      const intervals = Array.from({ length: 1 + below(4) }, () => {
        const referenceId = below(references.length + 1) - 1;
        const start = below(Math.min(references[referenceId]?.length ?? 1, 100_000));
        return { referenceId, start, end: start + 1 + below(20_000) };
      });
      const filter = createBamFilter(intervals);
      const expected = Buffer.concat([...filter.push(records), ...filter.finish()]);
      expect(Buffer.compare(recordsOf(slices, intervals), expected)).toBe(0);
    }
  });

  test('continue where a record starts, by bits of the core block and numbers of several bytes', async () => {
    const recordCount = 1000;
    const starts = Array.from({ length: recordCount }, (_, record) => 1 + 20 * record);
    // One or two bits for the mapping quality of each record, so that most pages start within a byte.
    const codeOf = (record: number): string => ['0', '10', '11'][(record * record) % 3] ?? '';
    const bits = starts.map((_, record) => codeOf(record)).join('');
    const bytesOf = bits.match(/.{1,8}/g) ?? [];
    const core = bytesOf.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
    const lengths = { RL: constant(10), FN: constant(0), BF: constant(0), BA: constant(0x41), QS: constant(30) };
    const series = {
      ...simple,
      ...lengths,
      AP: external(10),
      MQ: huffman([10, 20, 30], [1, 2, 2]),
      RN: encoding(5, 0, 9),
    };
    const blocks = [block('core', 0, core), block('external', 10, starts.flatMap(itf8)), block('external', 9, [])];
    const slice = { referenceId: 0, start: 1, span: 20 * recordCount, recordCount, blocks };
    const { bytes, header } = containerOf({ series, hasReadNames: false, needsReference: false }, slice);
    const file = { version: CRAM_2_1, text: '', references: [{ name: 'one', length: 2 ** 20 }], byteLength: 0 };
    const slices: CramSlice[] = [];
    const opener = createCramSliceOpener({ header: file, namePrefix: 'read' });
    const container = Uint8Array.from(bytes);
    for await (const opened of opener.open(container, { header })) slices.push(opened);
    container.fill(0);
    for (const record of [999, 31, 500, 32, 0, 501, 64]) {
      const start = 20 * record;
      const found = recordsOf(slices, [{ referenceId: 0, start, end: start + 1 }]);
      expect([found.readInt32LE(8), found.readUInt8(13)]).toEqual([start, 10 * (1 + ((record * record) % 3))]);
      expect(found.toString('latin1', 36, 36 + found.readUInt8(12) - 1)).toBe(`read:${record + 1}`);
    }
  });

  test('weigh more when records were decoded, which are decoded once', async () => {
    const slices = await openFile(readFixture('reads.cram'));
    const weightOf = (): number => slices.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const intervals = [{ referenceId: 0, start: 0, end: 2 ** 29 }];
    const before = weightOf();
    const records = recordsOf(slices, intervals);
    const after = weightOf();
    expect(after).toBeGreaterThanOrEqual(before + records.length);
    expect(recordsOf(slices, intervals)).toEqual(records);
    expect(weightOf()).toBe(after);
  });
});
