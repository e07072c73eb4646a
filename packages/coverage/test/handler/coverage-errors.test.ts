import { type ByteSource, StorageError } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { BASE, createHandler, fetchBins } from './coverage-service.js';

const PATH = 'x?referenceName=chr1&start=1000&end=60000&bins=30';

test('authentication precedes the syntax of all parameters', async () => {
  const handler = createHandler({ authorize: () => 'unauthenticated' });
  for (const query of ['', '?datatype=genes', '?referenceName=chr1&bins=0', '?referenceName=chr1&start=5&end=1']) {
    expect((await handler(new Request(`${BASE}/bam${query}`))).status, query).toBe(401);
  }
});

test.each(['bins=3&bins=4', 'datatype=reads&datatype=variants', 'datatype=variants&datatype=reads'])(
  'a parameter that is given twice is invalid: %s',
  async (parameters) => {
    const response = await createHandler()(new Request(`${BASE}/bam?referenceName=chr1&${parameters}`));
    expect([response.status, await response.json()]).toEqual([
      400,
      { htsget: { error: 'InvalidInput', message: expect.stringContaining('more than once') as string } },
    ]);
  },
);

test('an index that is replaced is read, though the file is the same', async () => {
  const data = memorySource(readFixture('reads.bam'), { key: 'data', version: '1' });
  let index = memorySource(readFixture('unmapped-only.bam.bai'), { key: 'index', version: '1' });
  const handler = createHandler({ resolve: async () => [{ format: 'BAM', data, index }] });
  const exact = await fetchBins(createHandler(), PATH.replace('x', 'bam'));
  expect(await fetchBins(handler, PATH).catch(() => undefined)).not.toEqual(exact);
  index = memorySource(readFixture('reads.bam.bai'), { key: 'index', version: '2' });
  expect(await fetchBins(handler, PATH)).toEqual(exact);
});

test('a file that is being replaced is a transient failure, not one of a ticket', async () => {
  const changed = (): never => {
    throw new StorageError('CHANGED', 'another version', { key: 'data' });
  };
  const data: ByteSource = {
    key: 'data',
    stat: async () => ({ size: 1000, version: '1' }),
    read: async () => changed(),
    stream: changed,
  };
  const handler = createHandler({ resolve: async () => [{ format: 'BAM', data }], onError: () => undefined });
  const response = await handler(new Request(`${BASE}/${PATH}`));
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
    503,
    '1',
    expect.stringContaining('is being replaced'),
  ]);
});
