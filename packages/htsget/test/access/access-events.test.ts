import { StorageError } from '@htskit/io';
import { expect, test } from 'vitest';
import type { AccessEvent, HtsgetOptions } from '../../src/index.js';
import { fixtureFile, fixtureHandler } from '../fixture-files.js';
import { fetchTicket, PUBLIC_URL } from '../read-ticket.js';

type Options = Partial<HtsgetOptions>;

function record(options: Options = {}) {
  const events: AccessEvent[] = [];
  const handler = fixtureHandler({
    ...options,
    onError: () => undefined,
    onEvent: (event) => {
      if (event.type === 'access') events.push(event);
    },
  });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    handler(new Request(path.startsWith('http') ? path : PUBLIC_URL + path, init));
  return { events, handler, ask };
}

const REGION = '/reads/reads.bam?referenceName=chr1&start=1000&end=9000';
const object = { datatype: 'reads', id: 'reads.bam' };

function blockUrl({ htsget }: { htsget: { urls: readonly { url: string }[] } }): string {
  return htsget.urls.find(({ url }) => url.startsWith('http'))?.url ?? '';
}

test('a ticket and its block leave one event each, with the subject of the ticket', async () => {
  const { events, handler, ask } = record({ authorize: () => ({ regions: 'all', subject: 'alice', visas: ['v1'] }) });
  const url = blockUrl(await fetchTicket(handler, REGION, { headers: { 'x-request-id': 'r1' } }));
  const bytes = (await (await ask(url, { headers: { 'x-request-id': 'r2' } })).arrayBuffer()).byteLength;
  const shared = {
    type: 'access',
    object,
    format: 'BAM',
    subject: 'alice',
    visas: ['v1'],
    status: 200,
    outcome: 'completed',
  };
  expect(events).toEqual([
    {
      ...shared,
      resource: 'ticket',
      regions: [{ referenceName: 'chr1', start: 1000, end: 9000 }],
      isRestricted: false,
      requestId: 'r1',
      bytes: expect.any(Number) as number,
    },
    {
      ...shared,
      resource: 'block',
      regions: [{ referenceName: 'chr1', start: 1000, end: 9000 }],
      isRestricted: false,
      requestId: 'r2',
      bytes,
    },
  ]);
});

test('the subject changes neither the bytes nor the entity tag of a block', async () => {
  const tags = await Promise.all(
    ['alice', 'bob'].map(async (subject) => {
      const { handler, ask } = record({ authorize: () => ({ regions: 'all', subject }) });
      return (await ask(blockUrl(await fetchTicket(handler, '/reads/reads.bam')))).headers.get('etag');
    }),
  );
  expect(tags[0]).toMatch(/^"/);
  expect(tags[0]).toBe(tags[1]);
});

test.each(['/reads/reads.bam', REGION, '/variants/variants.vcf.gz'])(
  'a ticket for %s that is limited to some regions, and each of its blocks, say so',
  async (path) => {
    const regions = [{ referenceName: 'chr1', start: 2000, end: 3000 }];
    const { events, handler, ask } = record({ authorize: () => ({ regions, subject: 'alice' }) });
    const { htsget } = await fetchTicket(handler, path);
    const urls = htsget.urls.map(({ url }) => url).filter((url) => url.startsWith('http'));
    for (const url of urls) await (await ask(url)).arrayBuffer();
    expect(events[0]).toMatchObject({ resource: 'ticket', isRestricted: true, subject: 'alice' });
    expect(urls.length).toBeGreaterThan(0);
    expect(events.slice(1)).toMatchObject(
      urls.map(() => ({ resource: 'block', isRestricted: true, subject: 'alice' })),
    );
  },
);

test('a limit to some regions changes neither the bytes nor the entity tag of a block', async () => {
  const regions = [{ referenceName: 'chr1' }];
  const [limited, whole] = await Promise.all(
    [regions, 'all' as const].map(async (permitted) => {
      const { handler, ask } = record({ authorize: () => ({ regions: permitted }), precision: 'exact' });
      return (await ask(blockUrl(await fetchTicket(handler, REGION)))).headers.get('etag');
    }),
  );
  expect(limited).toMatch(/^"/);
  expect(limited).toBe(whole);
});

test.each<[string, string, Options, object]>([
  ['without a token', REGION, { authorize: () => 'unauthenticated' }, { status: 401, object, outcome: 'refused' }],
  ['without permission', REGION, { authorize: () => 'forbidden' }, { status: 403, object, outcome: 'refused' }],
  ['for an unknown id', '/reads/nothing', {}, { status: 404, object: { datatype: 'reads', id: 'nothing' } }],
  ['with a forged block URL', '/blocks/x.y', {}, { status: 403, object: undefined, resource: 'block' }],
  [
    'that fails',
    REGION,
    {
      resolve: () => {
        throw new StorageError('UNAVAILABLE', 'the disk failed', { key: 'x' });
      },
    },
    { status: 500, object, outcome: 'failed', bytes: 0 },
  ],
])('a request %s leaves one event', async (_, path, options, expected) => {
  const { events, ask } = record(options);
  await ask(path);
  expect(events).toMatchObject([{ bytes: 0, ...expected }]);
  expect(JSON.stringify(events)).not.toMatch(/x\.y|disk/);
});

test('a block that the client breaks off is aborted', async () => {
  const { events, handler, ask } = record();
  const response = await ask(blockUrl(await fetchTicket(handler, '/reads/reads.bam')));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(events.at(-1)).toMatchObject({ resource: 'block', status: 200, outcome: 'aborted' });
  expect(events).toHaveLength(2);
});

test('a block whose file fails while it is sent has failed', async () => {
  const file = fixtureFile('reads.bam');
  const state = { isBroken: false };
  const data = {
    ...file.data,
    key: file.data.key,
    stat: () => file.data.stat(),
    read: (...parameters: Parameters<typeof file.data.read>) => file.data.read(...parameters),
    stream: (...[range, options]: Parameters<typeof file.data.stream>) => {
      if (!state.isBroken) return file.data.stream(range, options);
      const middle = Math.floor((range.start + range.end) / 2);
      const reader = file.data.stream({ start: range.start, end: middle }, options).getReader();
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) throw new Error('the disk failed');
            controller.enqueue(value);
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
  const { events, handler, ask } = record({ resolve: async () => [{ ...file, data }] });
  const url = blockUrl(await fetchTicket(handler, '/reads/reads.bam'));
  state.isBroken = true;
  await expect((await ask(url)).arrayBuffer()).rejects.toThrow('the disk failed');
  expect(events.at(-1)).toMatchObject({ resource: 'block', status: 200, outcome: 'failed' });
  expect(events.at(-1)?.bytes).toBeGreaterThan(0);
});

test('HEAD of a block, a range beyond its end and service-info', async () => {
  const { events, handler, ask } = record();
  const url = blockUrl(await fetchTicket(handler, '/reads/reads.bam'));
  await ask(url, { method: 'HEAD' });
  await ask(url, { headers: { range: 'bytes=999999999-' } });
  await ask('/reads/service-info');
  await ask(REGION, { method: 'OPTIONS' });
  expect(events[0]?.bytes).toBeGreaterThan(100_000);
  expect(events.slice(1)).toMatchObject([
    { resource: 'block', status: 200, bytes: 0, outcome: 'completed' },
    { resource: 'block', status: 416, bytes: 0, outcome: 'refused' },
  ]);
});

test.each([
  { regions: 'none' },
  { subject: 'alice' },
  { regions: 'all', subject: 'a'.repeat(256) },
  { regions: [], subject: 7 },
  { regions: [], visas: 'v1' },
  { regions: [], visas: [1] },
])('%j is not a permission', async (permission) => {
  const { ask } = record({ authorize: () => permission as never });
  expect((await ask(REGION)).status).toBe(500);
});
