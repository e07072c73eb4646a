import { openAlignments } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { type CoverageOptions, depth } from '../../src/index.js';
import { ask, coverageHandler, fetchBins, fixtureFile } from './coverage-service.js';

const FILES = ['reads.bam', 'reads-csi.bam', 'straddle.bam', 'longref.bam', 'reads.cram', 'multiref.cram', 'v21.cram'];

/** Makes every answer an estimate. */
const ESTIMATED = { limits: { scanBytes: 0 } };

describe.each(FILES)('%s', (name) => {
  test('has the exact depth in each bin', async () => {
    const handler = coverageHandler();
    const file = await openAlignments(fixturePath(name), { reference: fixturePath('genome.fa') });
    let bases = 0;
    for (const { name: referenceName, length = 0 } of file.references) {
      for (const [start, end] of [
        [0, length],
        [length >> 3, length >> 1],
      ] as const) {
        const query = `referenceName=${referenceName}&start=${start}&end=${end}&bins=33`;
        const found = await fetchBins(handler, `/coverage/${name}?${query}`);
        const expected = await depth(file, { referenceName, start, end }, { bins: Math.min(33, end - start) });
        expect(found).toMatchObject({ referenceName, start, end, estimated: false, max: Array.from(expected.max) });
        expect(found.mean).toEqual(Array.from(expected.mean, (mean) => Number(mean.toPrecision(7))));
        bases += expected.mean.reduce((sum, mean) => sum + mean, 0);
      }
    }
    expect(bases).toBeGreaterThan(0);
    await file.close();
  });
});

test.each(['reads.bam', 'reads-csi.bam', 'reads.cram'])(
  'estimates the depth of %s from its index if more than scanBytes must be read',
  async (name) => {
    const limits = { scanBytes: 100_000 };
    const query = `/coverage/${name}?referenceName=chr1&bins=4`;
    const exact = await fetchBins(coverageHandler(), query);
    // What a whole reference takes is more than what its sample takes.
    const { size } = await fixtureFile(name).data.stat();
    const found = await fetchBins(
      coverageHandler({ limits: { scanBytes: Math.min(limits.scanBytes, size >> 1) } }),
      query,
    );
    expect(found).toMatchObject({ estimated: true, start: exact.start, end: exact.end });
    expect(found.max).toBeUndefined();
    const sum = (values: readonly (number | null)[]): number =>
      values.reduce<number>((all, value) => all + (value ?? 0), 0);
    expect(sum(found.mean) / sum(exact.mean)).toBeGreaterThan(0.5);
    expect(sum(found.mean) / sum(exact.mean)).toBeLessThan(2);
  },
);

test('refuses a long region whose index has no sample that is short enough', async () => {
  const response = await ask(coverageHandler(ESTIMATED), '/coverage/reads.bam?referenceName=chr1');
  expect(response.status).toBe(413);
});

test.each<[number, string, string, Partial<CoverageOptions>?]>([
  [400, 'InvalidInput', '/coverage/reads.bam'],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName='],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=*'],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&referenceName=chr2'],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&start=-1'],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&start=1e3'],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&bins=0'],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&bins='],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&bins=1.5'],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&bins=10001'],
  [400, 'InvalidInput', `/coverage/reads.bam?referenceName=chr1&bins=${'9'.repeat(5000)}`],
  [400, 'InvalidInput', '/coverage/reads.bam?referenceName=chr1&bins=5&bins=6'],
  [400, 'InvalidInput', '/coverage/missing?referenceName=chr1&bins=0'],
  [400, 'InvalidRange', '/coverage/reads.bam?referenceName=chr1&start=5&end=4'],
  [404, 'NotFound', '/coverage/reads.bam?referenceName=none&start=5&end=4'],
  [404, 'NotFound', '/coverage/missing?referenceName=chr1'],
  [404, 'NotFound', '/coverage/'],
  [404, 'NotFound', '/coverage'],
  [404, 'NotFound', '/coverage/%2e%2e/reads.bam?referenceName=chr1'],
  [404, 'NotFound', '/coverage/a%00?referenceName=chr1'],
  [404, 'NotFound', '/coverage/%zz?referenceName=chr1'],
  [401, 'InvalidAuthentication', '/coverage/reads.bam?bins=0', { authorize: () => 'unauthenticated' }],
  [403, 'PermissionDenied', '/coverage/missing?bins=0', { authorize: () => 'forbidden' }],
  [500, 'InternalServerError', '/coverage/reads.bam?referenceName=chr1', { authorize: () => undefined as never }],
  [
    500,
    'InternalServerError',
    '/coverage/reads.bam?referenceName=chr1',
    { resolve: () => Promise.reject(new Error()) },
  ],
])('answers with %i %s to %s', async (status, error, path, options) => {
  const response = await ask(coverageHandler(options), path);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ htsget: { error, message: expect.any(String) } });
});

test('cuts a region to its reference, and has a bin for each base of a short one', async () => {
  const handler = coverageHandler();
  const whole = await fetchBins(handler, '/coverage/reads.bam?referenceName=chr1&bins=1');
  const past = await fetchBins(
    handler,
    `/coverage/reads.bam?referenceName=chr1&start=${whole.end - 3}&end=9223372036854775807`,
  );
  expect(past).toMatchObject({ start: whole.end - 3, end: whole.end });
  expect(past.mean).toHaveLength(3);
  const after = await fetchBins(handler, `/coverage/reads.bam?referenceName=chr1&start=${2 * whole.end}`);
  expect(after).toMatchObject({ start: whole.end, end: whole.end, estimated: false, mean: [] });
});

test('sends the means as little-endian 32-bit floats if Accept asks for them', async () => {
  const handler = coverageHandler();
  const path = '/coverage/reads.bam?referenceName=chr1&start=1000&end=9000&bins=50';
  const response = await ask(handler, path, { headers: { accept: 'application/octet-stream' } });
  expect(response.headers.get('content-type')).toBe('application/octet-stream; estimated=false; start=1000; end=9000');
  const view = new DataView(await response.arrayBuffer());
  const { mean } = await fetchBins(handler, path);
  expect(
    Array.from({ length: view.byteLength / 4 }, (_, i) => Number(view.getFloat32(4 * i, true).toPrecision(7))),
  ).toEqual(mean);
  const refused = await ask(handler, path, { headers: { accept: 'text/html' } });
  expect(refused.status).toBe(406);
});

test('answers HEAD, If-None-Match, other methods and other origins as the other services do', async () => {
  const handler = coverageHandler();
  const path = '/coverage/reads.bam?referenceName=chr1';
  const get = await ask(handler, path, { headers: { origin: 'http://b.example' } });
  const body = await get.arrayBuffer();
  const head = await ask(handler, path, { method: 'HEAD' });
  expect(await head.text()).toBe('');
  expect(head.headers.get('content-length')).toBe(String(body.byteLength));
  const etag = get.headers.get('etag') ?? '';
  expect([head.headers.get('etag'), get.headers.get('access-control-allow-origin')]).toEqual([
    etag,
    'http://b.example',
  ]);
  expect(get.headers.get('x-content-type-options')).toBe('nosniff');
  const known = await ask(handler, path, { headers: { 'if-none-match': etag } });
  expect([known.status, await known.text()]).toEqual([304, '']);
  const post = await ask(handler, path, { method: 'POST', body: '{}' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  const preflight = await ask(handler, path, { method: 'OPTIONS', headers: { origin: 'http://b.example' } });
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD']);
});

test('reads nothing for an answer that is kept, and reads a new version of a file', async () => {
  const { index, ...bam } = fixtureFile('reads.bam');
  const read = vi.spyOn(bam.data, 'read');
  const stream = vi.spyOn(bam.data, 'stream');
  let data = bam.data;
  const handler = coverageHandler({ resolve: async () => [{ ...bam, data, index }] });
  const path = '/coverage/x?referenceName=chr1&bins=3';
  const first = await fetchBins(handler, path);
  const count = read.mock.calls.length + stream.mock.calls.length;
  expect(count).toBeGreaterThan(0);
  expect(await fetchBins(handler, path)).toEqual(first);
  expect(read.mock.calls.length + stream.mock.calls.length).toBe(count);
  data = memorySource(readFixture('empty.bam'), { key: 'reads.bam', version: '2' });
  const replaced = await ask(handler, path);
  expect(replaced.status === 200 ? await replaced.json() : 'another header').not.toEqual(first);
});

test('reports a failure with the object and the id of the request, and each request to the listener', async () => {
  const [onError, onEvent] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const failure = new Error('the disk failed');
  const options = { onError, onEvent, authorize: () => ({ regions: 'all', subject: 'me' }) as const };
  const failing = coverageHandler({ ...options, resolve: () => Promise.reject(failure) });
  await ask(failing, '/coverage/a?referenceName=chr1', { headers: { 'x-request-id': 'r1' } });
  expect(onError).toHaveBeenCalledExactlyOnceWith(failure, { datatype: 'reads', id: 'a' }, 'r1');
  await ask(coverageHandler(options), '/coverage/reads.bam?referenceName=chr1&end=9');
  expect(onEvent.mock.calls).toMatchObject([
    [{ resource: 'coverage', status: 500, outcome: 'failed', requestId: 'r1', subject: 'me' }],
    [{ resource: 'coverage', status: 200, outcome: 'completed', regions: [{ referenceName: 'chr1', end: 9 }] }],
  ]);
});

test.each([{ bins: 0 }, { bins: 1.5 }, { scanBytes: -1 }, { cacheBytes: Number.NaN }])(
  'rejects limits %o',
  (limits) => {
    expect(() => coverageHandler({ limits })).toThrow(RangeError);
  },
);
