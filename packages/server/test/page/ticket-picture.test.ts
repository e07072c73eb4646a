import { createHtsgetHandler, type StoredFile } from '@htskit/htsget';
import type { Ticket } from '@htskit/protocol';
import { fileSource } from '@htskit/storage/file';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { layOutPicture } from '../../page/ticket/picture-layout.js';
import { coveredBytes, describeBlocks, type ShownBlock, spanOf } from '../../page/ticket/ticket-blocks.js';

const FILE_BYTES = 323_817;

/** Requests a ticket of a service and describes its blocks. */
async function blocksOf(query: string, file: Partial<StoredFile> = {}): Promise<readonly ShownBlock[]> {
  const data = fileSource(fixturePath('reads.bam'));
  const index = fileSource(fixturePath('reads.bam.bai'));
  const handle = createHtsgetHandler({
    resolve: async () => [{ format: 'BAM', data, index, ...file }],
    publicUrl: 'https://data.example',
    precision: 'exact',
  });
  const response = await handle(new Request(`https://data.example/reads/a?${query}`));
  return describeBlocks((await response.json()) as Ticket, { fileBytes: FILE_BYTES, host: 'data.example' });
}

test('a region is a cut between an inline header and an inline end', async () => {
  const blocks = await blocksOf('referenceName=chr1&start=1000&end=20000');
  expect(blocks.map(({ kind, class: part }) => [kind, part])).toEqual([
    ['inline', 'header'],
    ['cut', 'body'],
    ['inline', 'body'],
  ]);
  expect(blocks[1]?.ranges[0]?.start).toBe(362);
  expect(blocks.map(({ isBound }) => isBound)).toEqual([false, true, false]);
  expect(blocks[2]?.bytes).toBe(28);
});

test('containers of CRAM are passed through as they are stored', async () => {
  const [data, index] = ['reads.cram', 'reads.cram.crai'].map((name) => fileSource(fixturePath(name)));
  const blocks = await blocksOf('format=CRAM&referenceName=chr2', { format: 'CRAM', ...(data && { data }), index });
  const [body] = blocks.filter(({ kind }) => kind === 'stored');
  expect(body?.bytes).toBeGreaterThan(0);
  expect(body?.bytes).toBe(coveredBytes(blocks.filter((block) => block.class === 'body')));
});

test('the whole file needs all of its bytes but the end', async () => {
  expect(coveredBytes(await blocksOf(''))).toBeGreaterThan(FILE_BYTES - 1000);
});

test('records whose fields are selected are cut, not passed through', async () => {
  const blocks = await blocksOf('fields=QNAME,POS');
  expect(blocks.filter(({ kind }) => kind === 'stored')).toEqual([]);
});

test('a block of a store has the range of its Range header', () => {
  const url = 'https://bucket.example/key?signature=1';
  const urls = [{ url, headers: { range: 'bytes=10-19' } }, { url: 'data:;base64,QUJD' }];
  const blocks = describeBlocks({ htsget: { format: 'BAM', urls } }, { fileBytes: 100, host: 'data.example' });
  expect(blocks).toEqual([
    {
      kind: 'stored',
      class: undefined,
      ranges: [{ start: 10, end: 20 }],
      isBound: false,
      bytes: 10,
      host: 'bucket.example',
    },
    { kind: 'inline', class: undefined, ranges: [], isBound: false, bytes: 3, host: undefined },
  ]);
});

const block = (...ranges: (readonly [number, number])[]): ShownBlock => ({
  kind: 'cut',
  class: 'body',
  ranges: ranges.map(([start, end]) => ({ start, end })),
  isBound: false,
  bytes: undefined,
  host: undefined,
});

test('bytes that two cuts share count once', () => {
  const blocks = [block([0, 100], [200, 300]), block([50, 150])];
  expect([coveredBytes(blocks), spanOf(blocks)]).toEqual([250, { start: 0, end: 300 }]);
});

test('the picture shows blocks on the file, and larger on the part that they span', () => {
  const layout = layOutPicture([block([500, 600]), block([700, 750])], { fileBytes: 1000, width: 100 });
  expect(layout).toEqual({
    file: [
      { x: 50, width: 10, block: 0 },
      { x: 70, width: 5, block: 1 },
    ],
    detail: [
      { x: 0, width: 40, block: 0 },
      { x: 80, width: 20, block: 1 },
    ],
    span: { start: 500, end: 750 },
    spanBar: { x: 50, width: 25 },
  });
});

test('the smallest block can be seen, also at the end of the file', () => {
  const layout = layOutPicture([block([999_999, 1_000_000])], { fileBytes: 1_000_000, width: 100 });
  expect(layout?.file).toEqual([{ x: 98, width: 2, block: 0 }]);
});

test('there is no picture if all blocks are inline', () => {
  expect(layOutPicture([block()], { fileBytes: 10, width: 100 })).toBeUndefined();
});
