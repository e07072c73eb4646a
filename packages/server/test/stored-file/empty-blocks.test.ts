import { deflateBlocks, EOF_MARKER, type VirtualOffset } from '@htskit/bgzf';
import { createHtsgetHandler } from '@htskit/htsget';
import type { Ticket } from '@htskit/protocol';
import { openBam } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, decodeBam, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';

const [PLACED, UNPLACED] = [12, 3];
const WINDOW = 2 ** 14;

/** A BAM file of which some blocks are empty, and a BAI index whose offsets are at them where they may be. */
interface IndexedBam {
  readonly bam: Uint8Array;
  readonly bai: Uint8Array;
}

function int32(...values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer);
}

/** Returns the read of a number: one of ten bases in a window of its own, or an unplaced one. */
function encodeRead(number: number): Buffer {
  const isPlaced = number < PLACED;
  const name = Buffer.from(`r${String(number).padStart(2, '0')}\0`);
  const flags = isPlaced ? 0 : 4;
  const fixed = Buffer.concat([
    int32(isPlaced ? 0 : -1, isPlaced ? number * WINDOW + 100 : -1),
    Buffer.from([name.length, 0, 0, 0, isPlaced ? 1 : 0, 0, flags, 0]),
    int32(0, -1, -1, 0),
  ]);
  const body = Buffer.concat([fixed, name, isPlaced ? int32(10 * 16) : int32()]);
  return Buffer.concat([int32(body.length), body]);
}

/** Creates a file with random blocks. Each offset of its index is one of those that mean the same place. */
function createBam(seed: number): IndexedBam {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const parts: Uint8Array[] = [];
  let byteLength = 0;
  /** The offsets of the place that was written to last. */
  let same: VirtualOffset[] = [];
  const write = (bytes: Uint8Array): void => {
    parts.push(bytes);
    byteLength += bytes.length;
    same.push({ coffset: byteLength, uoffset: 0 });
  };
  const writeEmpty = (): void => {
    for (let count = pick([0, 0, 1, 2]); count > 0; count--) write(EOF_MARKER);
  };
  const text = Buffer.from('@SQ\tSN:chr1\tLN:1000000\n');
  write(
    deflateBlocks(
      Buffer.concat([Buffer.from('BAM\x01'), int32(text.length), text, int32(1, 5), Buffer.from('chr1\0'), int32(1e6)]),
    ),
  );
  writeEmpty();
  const chunks: (readonly [start: VirtualOffset, end: VirtualOffset])[] = [];
  for (let number = 0; number < PLACED + UNPLACED; ) {
    const reads = Array.from({ length: Math.min(pick([1, 2, 3]), PLACED + UNPLACED - number) }, (_, at) =>
      encodeRead(number + at),
    );
    let uoffset = 0;
    const coffset = byteLength;
    const starts = reads.map(({ length }, at) => {
      const start = at === 0 ? pick(same) : { coffset, uoffset };
      uoffset += length;
      return start;
    });
    same = [{ coffset, uoffset }];
    write(deflateBlocks(Buffer.concat(reads)));
    writeEmpty();
    for (const [at, start] of starts.entries()) chunks.push([start, starts[at + 1] ?? pick(same)]);
    number += reads.length;
  }
  write(EOF_MARKER);
  return { bam: Buffer.concat(parts), bai: encodeBai(chunks.slice(0, PLACED), pick([0, UNPLACED])) };
}

/** Encodes a BAI (SAMv1 §5.2) with a bin for each window, and without a linear index. */
function encodeBai(
  chunks: readonly (readonly [start: VirtualOffset, end: VirtualOffset])[],
  unplacedCount: number,
): Buffer {
  const offset = ({ coffset, uoffset }: VirtualOffset): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(coffset) * 65536n + BigInt(uoffset));
    return bytes;
  };
  const bins = chunks.map(([start, end], window) =>
    Buffer.concat([int32(4681 + window, 1), offset(start), offset(end)]),
  );
  return Buffer.concat([Buffer.from('BAI\x01'), int32(1, bins.length), ...bins, int32(0, unplacedCount, 0)]);
}

function namesOf(bam: Uint8Array): string[] {
  return decodeBam(bam).records.map(({ name }) => name);
}

/** Returns the file that the blocks of a ticket make up. */
async function fetchRegion(
  handler: (request: Request) => Promise<Response>,
  region: Readonly<Record<string, string | number>>,
): Promise<Uint8Array> {
  const query = new URLSearchParams(Object.entries(region).map(([key, value]) => [key, String(value)]));
  const ticket = (await (await handler(new Request(`${URL_OF_SERVICE}/reads/x?${query}`))).json()) as Ticket;
  const blocks: Uint8Array[] = [];
  for (const { url, headers = {} } of ticket.htsget.urls) {
    const response = url.startsWith('data:') ? await fetch(url) : await handler(new Request(url, { headers }));
    blocks.push(new Uint8Array(await response.arrayBuffer()));
  }
  return Buffer.concat(blocks);
}

const URL_OF_SERVICE = 'http://127.0.0.1';

const REGIONS = [
  { referenceName: 'chr1' },
  { referenceName: '*' },
  ...Array.from({ length: PLACED }, (_, window) => ({
    referenceName: 'chr1',
    start: window * WINDOW,
    end: (window + 2) * WINDOW,
  })),
];

function expectedNames({
  referenceName,
  start = 0,
  end = 1e6,
}: (typeof REGIONS)[number] & { start?: number; end?: number }): string[] {
  const numbers = Array.from({ length: PLACED + UNPLACED }, (_, number) => number).filter((number) => {
    const position = number * WINDOW + 100;
    return referenceName === '*' ? number >= PLACED : number < PLACED && position < end && position + 10 > start;
  });
  return numbers.map((number) => `r${String(number).padStart(2, '0')}`);
}

describe('an index whose offsets are at empty blocks', () => {
  test('finds the records of regions, also unplaced ones that it does not count, in files and through a service', async () => {
    for (let seed = 0; seed < volume(60); seed++) {
      const { bam, bai } = createBam(seed);
      const data = memorySource(bam, { key: 'bam', version: '1' });
      const index = memorySource(bai, { key: 'bai', version: '1' });
      const file = await openBam(data, { index });
      const handler = createHtsgetHandler({
        resolve: async () => [{ format: 'BAM', data, index }],
        publicUrl: URL_OF_SERVICE,
        precision: 'exact',
      });
      for (const region of REGIONS) {
        const names: string[] = [];
        for await (const record of file.records(region)) names.push(record.name);
        expect(names, `seed ${seed}, ${JSON.stringify(region)}`).toEqual(expectedNames(region));
        const served = namesOf(await fetchRegion(handler, region));
        expect(served, `seed ${seed}, served ${JSON.stringify(region)}`).toEqual(expectedNames(region));
      }
      await file.close();
    }
  });
});
