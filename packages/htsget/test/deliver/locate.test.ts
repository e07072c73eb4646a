import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ByteSource } from '@htskit/io';
import { type Ticket, UNPLACED } from '@htskit/protocol';
import { readFixture, volume } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { splitAtEdges } from '../../src/deliver/locate.js';
import type { HtsgetOptions, Locate, StoredFile } from '../../src/index.js';
import {
  bamNames,
  bcfNames,
  cramNames,
  fixtureFile,
  fixtureHandler,
  fixturePathOf,
  vcfNames,
} from '../fixture-files.js';
import { fetchBlocks, fetchFile, fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';

/** A store that serves only ranges of the fixtures. */
const store = createServer((request, response) => {
  const bytes = readFixture(decodeURIComponent((request.url ?? '').slice(1)));
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const isAllowed = request.headers['if-match'] === '1' && request.headers.authorization === undefined;
  if (!isAllowed || first === undefined || last === undefined || Number(last) >= bytes.length) {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(206).end(bytes.subarray(Number(first), Number(last) + 1));
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
});
afterAll(() => {
  store.close();
  store.closeAllConnections();
});

function locatedFile(name: string): StoredFile {
  const locate: Locate = async (_, { version }) => ({
    url: `${origin}/${name}`,
    // The ticket replaces a Range header of the store.
    headers: { 'If-Match': version ?? 'none', range: 'bytes=0-0' },
  });
  return { ...fixtureFile(name), locate };
}

function locatedHandler(name: string, options: Partial<HtsgetOptions> = {}): Handler {
  return fixtureHandler(options, { [name]: [locatedFile(name)] });
}

function kindsOf({ htsget }: Ticket): string[] {
  return htsget.urls.map(({ url }) => {
    if (url.startsWith('data:')) return 'inline';
    return url.startsWith(PUBLIC_URL) ? 'own' : 'store';
  });
}

const names = [...bamNames, ...cramNames, ...vcfNames, ...bcfNames];
const region = '&referenceName=chr1&start=1000&end=60000';

describe.each(names)('%s', (name) => {
  const path = fixturePathOf(name);
  const hasChr1 = !['no-references.bam', 'longref.bam'].includes(name);
  const queries = ['', '&class=header', ...(hasChr1 ? [region] : [])];

  test('blocks of the store and inline blocks form the same file', async () => {
    const handlers = (['exact', 'chunks'] as const).flatMap((precision) =>
      [0, 2 ** 16].map((inlineBytes) => ({ precision, limits: { inlineBytes, blockBytes: 100_000 } })),
    );
    for (const [at, query] of queries.entries()) {
      // Elsewhere than in CI, each query has one of the combinations, and the region an exact one.
      const from = at + 2;
      for (const options of [...handlers, ...handlers].slice(from, from + volume(handlers.length))) {
        const ticket = await fetchTicket(locatedHandler(name, options), path + query);
        expect(kindsOf(ticket)).not.toContain('own');
        const file = await fetchBlocks(fixtureHandler(), ticket);
        const expected = await fetchFile(fixtureHandler(options), path + query);
        expect(Buffer.compare(file, expected), `${query} ${options.precision}`).toBe(0);
      }
    }
  });

  test('the service sends edges that exceed the limit itself', async () => {
    const options = { limits: { inlineEdgeBytes: 0 } };
    const handler = locatedHandler(name, options);
    for (const query of queries) {
      const expected = await fetchFile(fixtureHandler(), path + query);
      expect(Buffer.compare(await fetchFile(handler, path + query), expected), query).toBe(0);
    }
  });
});

test('a block of the store has its headers and an inclusive Range', async () => {
  const ticket = await fetchTicket(locatedHandler('reads.bam'), '/reads/reads.bam');
  const blocks = ticket.htsget.urls.filter(({ url }) => url.startsWith(origin));
  expect(blocks).toEqual([
    {
      url: `${origin}/reads.bam`,
      headers: { 'If-Match': '1', Range: expect.stringMatching(/^bytes=\d+-\d+$/) as string },
      class: 'body',
    },
  ]);
});

test('the store sends whole blocks, and only edges are inline', async () => {
  const ticket = await fetchTicket(locatedHandler('reads.bam', { precision: 'chunks' }), `/reads/reads.bam?${region}`);
  expect(kindsOf(ticket)).toEqual(['inline', 'store', 'inline', 'inline']);
});

test('edges are inline up to the limit in file order, and the others have URLs of this service', async () => {
  const regions = ['chr1', 'chr2'].flatMap((referenceName) =>
    Array.from({ length: 7 }, (_, i) => ({ referenceName, start: i * 5000, end: i * 5000 + 20 })),
  );
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ regions }) };
  const sizes: number[] = [];
  for (const inlineEdgeBytes of [0, 500, 2000, 7000, 2 ** 20]) {
    const options = { precision: 'chunks', limits: { inlineEdgeBytes, gapBytes: -1 } } as const;
    const handler = locatedHandler('extra-subfield.bam', options);
    const ticket = await fetchTicket(handler, '/reads/extra-subfield.bam', init);
    const edges = ticket.htsget.urls.slice(1, -1).filter(({ url }) => url.startsWith('data:'));
    const bytes = edges.reduce((sum, { url }) => sum + Buffer.from(url.slice(13), 'base64').length, 0);
    expect(bytes).toBeLessThanOrEqual(inlineEdgeBytes);
    sizes.push(bytes);
    const expected = await fetchFile(fixtureHandler(options), '/reads/extra-subfield.bam', init);
    expect(Buffer.compare(await fetchBlocks(handler, ticket), expected)).toBe(0);
  }
  expect(sizes[0]).toBe(0);
  expect(new Set(sizes).size).toBe(sizes.length);
});

test('reads the edges of a ticket up to the limit, however many there are', async () => {
  const regions = ['chr1', 'chr2'].flatMap((referenceName) =>
    Array.from({ length: 7 }, (_, i) => ({ referenceName, start: i * 5000, end: i * 5000 + 20 })),
  );
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ regions }) };
  const file = locatedFile('extra-subfield.bam');
  const starts: number[] = [];
  const data: ByteSource = {
    key: file.data.key,
    stat: (options) => file.data.stat(options),
    read: (range, options) => {
      starts.push(range.start);
      return file.data.read(range, options);
    },
    stream: (range, options) => {
      starts.push(range.start);
      return file.data.stream(range, options);
    },
  };
  const options = { precision: 'chunks', limits: { gapBytes: -1, exactBytes: 2 * 65_536 } } as const;
  const handler = fixtureHandler(options, { 'extra-subfield.bam': [{ ...file, data }] });
  await fetchTicket(handler, '/reads/extra-subfield.bam?referenceName=chr1&start=0&end=1');
  starts.length = 0;
  const ticket = await fetchTicket(handler, '/reads/extra-subfield.bam', init);
  expect(starts.length).toBe(2);
  expect(kindsOf(ticket)).toContain('own');
  const expected = await fetchFile(fixtureHandler(options), '/reads/extra-subfield.bam', init);
  expect(Buffer.compare(await fetchBlocks(handler, ticket), expected)).toBe(0);
});

test.each(['reads.bam', 'reads.cram'])(
  'the store does not send the header of %s if access is restricted',
  async (name) => {
    const locate = vi.fn<Locate>();
    const handler = fixtureHandler(
      { authorize: () => ({ regions: [{ referenceName: 'chr1', start: 0, end: 10 }] }), limits: { inlineBytes: 0 } },
      { [name]: [{ ...fixtureFile(name), locate }] },
    );
    const ticket = await fetchTicket(handler, `${fixturePathOf(name)}&class=header`);
    expect(kindsOf(ticket)).toContain('own');
    expect(locate).not.toHaveBeenCalled();
  },
);

test('the store sends nothing if access is restricted', async () => {
  const locate = vi.fn<Locate>();
  const regions = [{ referenceName: 'chr1', start: 1000, end: 40_000 }, { referenceName: UNPLACED }];
  const handler = fixtureHandler(
    { authorize: () => ({ regions }), limits: { inlineEdgeBytes: 0, inlineBytes: 2 ** 20 } },
    { 'reads.bam': [{ ...fixtureFile('reads.bam'), locate }] },
  );
  expect(kindsOf(await fetchTicket(handler, '/reads/reads.bam'))).toEqual(['inline', 'own', 'inline']);
  expect(locate).not.toHaveBeenCalled();
});

test('VCFTEXT is sent by this service', async () => {
  const handler = locatedHandler('variants.vcf.gz', { limits: { inlineEdgeBytes: 1000 } });
  const ticket = await fetchTicket(handler, '/variants/variants.vcf.gz?format=VCFTEXT');
  expect(kindsOf(ticket)).toEqual(['inline', 'own']);
});

test('a store that transiently fails to return a URL is a 503', async () => {
  const { StorageError } = await import('@htskit/io');
  const locate: Locate = () => Promise.reject(new StorageError('UNAVAILABLE', 'no', { key: 'k', isTransient: true }));
  const handler = fixtureHandler({}, { a: [{ ...fixtureFile('reads.bam'), locate }] });
  expect((await handler(new Request(`${PUBLIC_URL}/reads/a`))).status).toBe(503);
});

test('the ticket of an answer that is all inline has its MD5', async () => {
  const ticket = await fetchTicket(locatedHandler('reads.bam'), '/reads/reads.bam?referenceName=chr1&start=10&end=900');
  expect(kindsOf(ticket)).not.toContain('store');
  const file = await fetchBlocks(fixtureHandler(), ticket);
  const { createHash } = await import('node:crypto');
  expect(ticket.htsget.md5).toBe(createHash('md5').update(file).digest('hex'));
});

type Offset = readonly [coffset: number, uoffset: number];

/** Formats the parts like `cut 10:5-20:0` and `range 20-30`. */
function partsOf(start: Offset, end: Offset, firstBlockEnd: number): string[] {
  const toVirtual = ([coffset, uoffset]: Offset) => ({ coffset, uoffset });
  const parts = splitAtEdges(
    { kind: 'cut', class: 'body', start: toVirtual(start), end: toVirtual(end) },
    firstBlockEnd,
  );
  return parts.map((part) =>
    part.kind === 'range'
      ? `range ${part.start}-${part.end}`
      : `cut ${part.start.coffset}:${part.start.uoffset}-${part.end.coffset}:${part.end.uoffset}`,
  );
}

test.each<[string, Offset, Offset, string[]]>([
  ['both ends inside of blocks', [10, 5], [40, 7], ['cut 10:5-20:0', 'range 20-40', 'cut 40:0-40:7']],
  ['both ends between blocks', [10, 0], [40, 0], ['range 10-40']],
  ['its end between blocks', [10, 5], [40, 0], ['cut 10:5-20:0', 'range 20-40']],
  ['its start between blocks', [10, 0], [40, 7], ['range 10-40', 'cut 40:0-40:7']],
  ['nothing between its edges', [10, 5], [20, 7], ['cut 10:5-20:0', 'cut 20:0-20:7']],
  ['one block to its end', [10, 5], [20, 0], ['cut 10:5-20:0']],
  ['a part of one block', [10, 5], [10, 7], ['cut 10:5-10:7']],
  ['an end within its first block, which contradicts the blocks', [10, 5], [15, 7], ['cut 10:5-15:7']],
])('splitAtEdges splits a cut with %s', (_, start, end, parts) => {
  expect(partsOf(start, end, 20)).toEqual(parts);
});
