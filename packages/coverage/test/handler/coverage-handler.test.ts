import type { AccessEvent } from '@htskit/htsget';
import { openAlignments, openVariants } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, fixturePath, readFixture, volume } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { density, depth } from '../../src/index.js';
import { BASE, createHandler, fetchBins } from './coverage-service.js';

const QUERY = 'referenceName=chr1&start=1000&end=60000&bins=30';
const REGION = { referenceName: 'chr1', start: 1000, end: 60_000 };
const toNumbers = (values: ArrayLike<number>): number[] => Array.from(values, (value) => Number(value.toPrecision(6)));

describe('exact answers', () => {
  test.each([
    ['BAM', 'bam', 'reads.bam'],
    ['CRAM', 'cram', 'reads.cram'],
    ['a BAM without an index', 'no-index', 'reads.bam'],
  ])('have the depth of %s', async (_, id, name) => {
    const { mean, max } = await depth(await openAlignments(fixturePath(name)), REGION, { bins: 30 });
    expect(await fetchBins(createHandler(), `${id}?${QUERY}`)).toEqual({
      ...{ estimated: false, ...REGION },
      ...{ mean: toNumbers(mean), max: [...max] },
    });
  });

  test.each([
    ['VCF', 'vcf', 'variants.vcf.gz'],
    ['BCF', 'bcf', 'variants.bcf'],
  ])('have the density of %s', async (_, id, name) => {
    const { counts } = await density(await openVariants(fixturePath(name)), REGION, { bins: 30 });
    expect(await fetchBins(createHandler(), `${id}?datatype=variants&${QUERY}`)).toEqual({
      ...{ estimated: false, ...REGION },
      counts: [...counts],
    });
  });

  test('cover the whole reference by default, in a hundred bins', async () => {
    const { start, end, mean } = await fetchBins(createHandler(), 'bam?referenceName=chr2');
    expect([start, end, mean?.length]).toEqual([0, 40_000, 100]);
  });
});

describe('regions without bases of the reference', () => {
  const [length, large] = [150_000, '9223372036854775807'];
  test.each([
    ['that begin at its end', 'bam', `start=${length}`, length],
    ['that begin beyond its end', 'bam', `start=150001&end=${large}`, length],
    ['that begin beyond its end, in a CRAM', 'cram', `start=${large}`, length],
    ['that are empty', 'bam', 'start=7&end=7', 7],
  ])('%s have bins of zero, exactly', async (_, id, query, end) => {
    for (const limits of [{}, { exactBytes: 1000 }]) {
      expect(await fetchBins(createHandler({ limits }), `${id}?referenceName=chr1&bins=3&${query}`)).toEqual({
        ...{ estimated: false, referenceName: 'chr1', start: end, end },
        ...{ mean: [0, 0, 0], max: [0, 0, 0] },
      });
    }
  });

  test('have no variants', async () => {
    const query = `datatype=variants&referenceName=chr1&bins=2&start=${large}`;
    for (const id of ['vcf', 'bcf']) {
      expect(await fetchBins(createHandler(), `${id}?${query}`)).toMatchObject({ estimated: false, counts: [0, 0] });
    }
  });

  test('have the same bins for a subject that may see some references', async () => {
    const handler = createHandler({ authorize: async () => ({ regions: [{ referenceName: 'chr1' }] }) });
    const query = `bam?referenceName=chr1&bins=3&start=${length}`;
    expect(await fetchBins(handler, query)).toEqual(await fetchBins(createHandler(), query));
  });
});

describe('answers that take more bytes than the limit', () => {
  const handler = createHandler({ limits: { exactBytes: 1000 } });

  test.each(['bam', 'cram'])('are estimates, about as deep as the exact ones: %s', async (id) => {
    const { estimated, mean = [], max } = await fetchBins(handler, `${id}?referenceName=chr1&bins=1`);
    const exact = await fetchBins(createHandler(), `${id}?referenceName=chr1&bins=1`);
    expect([estimated, max]).toEqual([true, undefined]);
    expect((mean[0] ?? 0) / (exact.mean?.[0] ?? 1)).toBeGreaterThan(0.5);
    expect((mean[0] ?? 0) / (exact.mean?.[0] ?? 1)).toBeLessThan(2);
  });

  test('count all variants', async () => {
    const { estimated, counts = [] } = await fetchBins(handler, 'vcf?datatype=variants&referenceName=chr1&bins=7');
    const exact = await fetchBins(createHandler(), 'vcf?datatype=variants&referenceName=chr1&bins=1');
    expect(estimated).toBe(true);
    expect(Array.from(counts).reduce((sum, count) => sum + count, 0)).toBeCloseTo(exact.counts?.[0] ?? 0, 1);
  });

  test('are a failure of the file without an index', async () => {
    const silent = createHandler({ limits: { exactBytes: 1000 }, onError: () => undefined });
    const response = await silent(new Request(`${BASE}/no-index?referenceName=chr1`));
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('the file has no index');
  });
});

test('an answer is computed once for all who may see everything', async () => {
  const data = memorySource(readFixture('reads.bam'), { key: 'counted', version: '1' });
  const reads = vi.spyOn(data, 'read');
  const file = { format: 'BAM', data, index: memorySource(readFixture('reads.bam.bai'), { version: '1' }) } as const;
  const handler = createHandler({ resolve: async () => [file] });
  const first = await fetchBins(handler, `bam?${QUERY}`);
  reads.mockClear();
  expect(await fetchBins(handler, `bam?${QUERY}`)).toEqual(first);
  expect(reads).not.toHaveBeenCalled();
});

describe('requests', () => {
  test.each([
    ['an unknown id', 'nothing?referenceName=chr1', 404, 'NotFound'],
    ['an unknown reference', 'bam?referenceName=chr9', 404, 'NotFound'],
    ['no reference', 'bam', 400, 'InvalidInput'],
    ['unplaced reads', 'bam?referenceName=*', 400, 'InvalidInput'],
    ['no bins', 'bam?referenceName=chr1&bins=0', 400, 'InvalidInput'],
    ['too many bins', 'bam?referenceName=chr1&bins=10001', 400, 'InvalidInput'],
    ['another datatype', 'bam?datatype=both&referenceName=chr1', 400, 'InvalidInput'],
    ['an end before the start', 'bam?referenceName=chr1&start=5&end=2', 400, 'InvalidRange'],
    ['the id of variants', 'vcf?referenceName=chr1', 404, 'NotFound'],
    ['a segment that leaves the folder', '..%2Fbam?referenceName=chr1', 404, 'NotFound'],
    ['a summary that does not exist', 'bam.bw', 404, 'NotFound'],
  ])('for %s are refused', async (_, path, status, error) => {
    const response = await createHandler()(new Request(`${BASE}/${path}`));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ htsget: { error } });
  });

  test('have an entity tag, and no body for HEAD and for what is known', async () => {
    const handler = createHandler();
    const url = `${BASE}/bam?${QUERY}`;
    const got = await handler(new Request(url));
    const head = await handler(new Request(url, { method: 'HEAD' }));
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(String((await got.arrayBuffer()).byteLength));
    const etag = got.headers.get('etag') ?? '';
    expect((await handler(new Request(url, { headers: { 'if-none-match': etag } }))).status).toBe(304);
  });

  test('may ask for 32-bit numbers', async () => {
    const handler = createHandler();
    const accept = 'application/octet-stream';
    const response = await handler(new Request(`${BASE}/bam?${QUERY}`, { headers: { accept } }));
    expect(response.headers.get('content-type')).toBe(`${accept}; estimated=false`);
    const { mean = [] } = await fetchBins(handler, `bam?${QUERY}`);
    expect(toNumbers(new Float32Array(await response.arrayBuffer()))).toEqual(Array.from(mean));
  });

  test('of other methods than GET and HEAD are refused, and preflights accepted', async () => {
    const handler = createHandler();
    expect((await handler(new Request(`${BASE}/bam`, { method: 'POST' }))).status).toBe(405);
    expect((await handler(new Request(`${BASE}/bam`, { method: 'OPTIONS' }))).status).toBe(204);
  });

  test('of any form are answered or refused', async () => {
    const random = createRandom(11);
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const values = ['', '0', '-1', '1e3', '999999999999', '9'.repeat(40), 'chr1', 'chr2', '%FF', 'a&b', '\u0000', '*'];
    const handler = createHandler();
    const statuses = new Set<number>();
    for (let i = 0; i < volume(300); i++) {
      const names = ['start', 'end', 'bins', 'datatype', 'bins', 'format', 'class'];
      const pairs = ['referenceName', ...names.filter(() => random() < 0.2)].map(
        (name) => `${name}=${encodeURIComponent(pick(values))}`,
      );
      statuses.add((await handler(new Request(`${BASE}/bam?${pairs.join('&')}`))).status);
    }
    expect(statuses).toEqual(new Set([200, 400, 404]));
  });

  test('that fail are reported with the id and the id of the request', async () => {
    const onError = vi.fn<(error: unknown, object: unknown, requestId: unknown) => void>();
    const resolve = () => Promise.reject(new Error('lost'));
    const request = new Request(`${BASE}/a/b?referenceName=chr1`, { headers: { 'x-request-id': '7' } });
    expect((await createHandler({ resolve, onError })(request)).status).toBe(500);
    const object = { datatype: 'reads', id: 'a/b' };
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'lost' }), object, '7');
  });
});

test('every request is recorded, with what it was given', async () => {
  const onEvent = vi.fn<(event: AccessEvent) => void>();
  const regions = [{ referenceName: 'chr1', start: 0, end: 9000 }];
  const handler = createHandler({ onEvent, authorize: () => ({ regions, subject: 'somebody' }) });
  const response = await handler(new Request(`${BASE}/bam?${QUERY}`));
  const bytes = (await response.arrayBuffer()).byteLength;
  await handler(new Request(`${BASE}/bam?referenceName=chr2`));
  const access = {
    type: 'access',
    resource: 'coverage',
    object: { datatype: 'reads', id: 'bam' },
    subject: 'somebody',
  };
  expect(onEvent.mock.calls.map(([event]) => event)).toMatchObject([
    { ...access, regions: [REGION], isRestricted: true, status: 200, bytes, outcome: 'completed' },
    { ...access, regions: [{ referenceName: 'chr2' }], status: 403, bytes: 0, outcome: 'refused' },
  ]);
});

describe('a bigWig file', () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
  const summaries = { find: async () => memorySource(bytes, { key: 'summary', version: '1' }) };
  const handler = createHandler({ summaries });

  test('is sent as a whole, and in ranges', async () => {
    const whole = await handler(new Request(`${BASE}/bam.bw`));
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes);
    const part = await handler(new Request(`${BASE}/bam.bw`, { headers: { range: 'bytes=10-19' } }));
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/100']);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect((await handler(new Request(`${BASE}/bam.bw`, { headers: { range: 'bytes=100-' } }))).status).toBe(416);
  });

  test('has an entity tag that conditions may name', async () => {
    const head = await handler(new Request(`${BASE}/bam.bw`, { method: 'HEAD' }));
    expect([head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual(['100', 'bytes']);
    const etag = head.headers.get('etag') ?? '';
    expect((await handler(new Request(`${BASE}/bam.bw`, { headers: { 'if-none-match': etag } }))).status).toBe(304);
    const headers = { range: 'bytes=10-19', 'if-range': '"another"' };
    expect((await handler(new Request(`${BASE}/bam.bw`, { headers }))).status).toBe(200);
  });
});
