import { createHash } from 'node:crypto';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import type { StoredFile } from '../../src/index.js';
import { inProcess } from '../../src/transform/stream-transform.js';
import { fixtureFile, fixtureHandler } from '../fixture-files.js';
import { observeTransforms } from '../observed-workers.js';
import { fetchTicket, type Handler } from '../read-ticket.js';

interface Block {
  readonly handler: Handler;
  readonly file: StoredFile;
  readonly url: string;
  readonly bytes: Buffer;
}

/** The first block with a URL that answers a query. */
async function blockOf(name: string, path: string, options: Parameters<typeof fixtureHandler>[0] = {}): Promise<Block> {
  const file = fixtureFile(name);
  const handler = fixtureHandler(options, { [name]: [file] });
  const { htsget } = await fetchTicket(handler, path);
  const url = htsget.urls.find((block) => block.url.startsWith('http'))?.url ?? '';
  const response = await handler(new Request(url));
  expect(response.status).toBe(200);
  return { handler, file, url, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe.each([
  ['whole blocks of a BAM', 'no-eof.bam', '/reads/no-eof.bam'],
  ['containers of a CRAM', 'reads.cram', '/reads/reads.cram?format=CRAM&referenceName=chr1&start=1000&end=9000'],
  ['whole blocks of a BAM with a cut edge', 'straddle.bam', '/reads/straddle.bam'],
  ['a chunk of a BAM with two cut edges', 'reads.bam', '/reads/reads.bam?referenceName=chr1&start=1000&end=9000'],
  ['lines of a VCF with cut edges', 'variants.vcf.gz', '/variants/variants.vcf.gz?referenceName=chr2&start=9000'],
])('a block of known length, %s,', (_, name, path) => {
  const options = { precision: 'chunks' } as const;

  test('has a Content-Length and accepts ranges', async () => {
    const { handler, url, bytes } = await blockOf(name, path, options);
    const response = await handler(new Request(url, { method: 'HEAD' }));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(bytes.length),
      'content-type': 'application/octet-stream',
    });
  });

  test('answers a range by reading only that part and the blocks of its edges', async () => {
    const { handler, file, url, bytes } = await blockOf(name, path, options);
    const { length } = bytes;
    const stream = vi.spyOn(file.data, 'stream');
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=10-99', 10, 100],
      [`bytes=${length - 5}-`, length - 5, length],
      ['bytes=-7', length - 7, length],
      [`bytes=100-${length + 5}`, 100, length],
      [`BYTES=0-${length - 1}`, 0, length],
    ] as const) {
      stream.mockClear();
      const response = await handler(new Request(url, { headers: { range } }));
      expect([range, response.status]).toEqual([range, 206]);
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${length}`);
      expect(response.headers.get('content-length')).toBe(String(end - start));
      const part = Buffer.from(await response.arrayBuffer());
      expect(part.equals(bytes.subarray(start, end)), range).toBe(true);
      const asked = stream.mock.calls.reduce((sum, [{ start: from, end: to }]) => sum + to - from, 0);
      // The edges are read by `read`.
      expect(asked).toBeLessThanOrEqual(end - start);
    }
  });

  test('fetched in parts equals the whole', async () => {
    const { handler, url, bytes } = await blockOf(name, path, options);
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 50_001) {
      const response = await handler(new Request(url, { headers: { range: `bytes=${at}-${at + 50_000}` } }));
      parts.push(Buffer.from(await response.arrayBuffer()));
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  test('refuses a range beyond its end with 416 and its length', async () => {
    const { handler, url, bytes } = await blockOf(name, path, options);
    for (const range of [`bytes=${bytes.length}-`, 'bytes=5-2', 'bytes=-0']) {
      const response = await handler(new Request(url, { headers: { range } }));
      expect([range, response.status]).toEqual([range, 416]);
      expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
      expect(await response.json()).toMatchObject({ htsget: { error: 'InvalidRange' } });
    }
  });

  test.each(['bytes=0-1,4-5', 'lines=0-1', 'bytes=a-b', 'bytes'])(
    'ignores the malformed or unsupported Range %j',
    async (range) => {
      const { handler, url, bytes } = await blockOf(name, path, options);
      const response = await handler(new Request(url, { headers: { range } }));
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );
});

describe.each([
  ['filtered', 'reads.bam', '/reads/reads.bam?referenceName=chr1&start=1000&end=9000'],
  ['rewritten', 'reads.bam', '/reads/reads.bam?tags=NM'],
  ['inflated', 'variants.vcf.gz', '/variants/variants.vcf.gz?format=VCFTEXT'],
])('a block that is %s', (_, name, path) => {
  test('has no Content-Length and accepts no ranges before it was sent once if it is long', async () => {
    // Every block is longer than those that are made as a whole.
    const handler = fixtureHandler({ limits: { cacheBytes: 0 } }, { [name]: [fixtureFile(name)] });
    const { htsget } = await fetchTicket(handler, path);
    const url = htsget.urls.find((block) => block.url.startsWith('http'))?.url ?? '';
    const response = await handler(new Request(url, { headers: { range: 'bytes=0-9' } }));
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, 'none']);
    expect(response.headers.get('content-length')).toBeNull();
    await response.body?.cancel();
    // Only a whole block shows its length.
    expect((await handler(new Request(url, { method: 'HEAD' }))).headers.get('content-length')).toBeNull();
  });

  test('has the length of its first delivery afterwards, and accepts ranges', async () => {
    const { handler, url, bytes } = await blockOf(name, path, { limits: { cacheBytes: 0 } });
    const { length } = bytes;
    const head = await handler(new Request(url, { method: 'HEAD' }));
    expect([head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([String(length), 'bytes']);
    for (const [start, end] of [
      [0, 1],
      [10, 2000],
      [length - 2000, length],
      [length - 1, length],
    ] as const) {
      const response = await handler(new Request(url, { headers: { range: `bytes=${start}-${end - 1}` } }));
      expect([response.status, response.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${length}`,
      ]);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
    }
    expect((await handler(new Request(url, { headers: { range: `bytes=${length}-` } }))).status).toBe(416);
  });
});

describe.each([
  ['filtered', 'reads.bam', '/reads/reads.bam?referenceName=chr1&start=1000&end=9000'],
  ['converted', 'variants.bcf', '/variants/variants.bcf?format=VCF'],
  ['inflated', 'variants.vcf.gz', '/variants/variants.vcf.gz?format=VCFTEXT'],
])('a short block that is %s', (_, name, path) => {
  test('continues where its first delivery broke off', async () => {
    const handler = fixtureHandler({}, { [name]: [fixtureFile(name)] });
    const { htsget } = await fetchTicket(handler, path);
    const url = htsget.urls.find((block) => block.url.startsWith('http'))?.url ?? '';
    const broken = await handler(new Request(url));
    const length = Number(broken.headers.get('content-length'));
    expect([length > 1000, broken.headers.get('accept-ranges')]).toEqual([true, 'bytes']);
    await broken.body?.cancel();
    const headers = { range: 'bytes=1000-', 'if-range': broken.headers.get('etag') ?? '' };
    const rest = await handler(new Request(url, { headers }));
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 1000-${length - 1}/${length}`]);
    const { bytes } = await blockOf(name, path, { limits: { cacheBytes: 0 } });
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1000))).toBe(true);
  });
});

test('a block exposes its length and range to scripts', async () => {
  const { handler, url } = await blockOf('no-eof.bam', '/reads/no-eof.bam');
  for (const range of ['bytes=0-9', 'bytes=999999999-']) {
    const response = await handler(new Request(url, { headers: { range, origin: 'https://igv.example.org' } }));
    expect(response.headers.get('access-control-allow-origin')).toBe('https://igv.example.org');
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Content-Length', 'Content-Range', 'Accept-Ranges']));
    expect(response.headers.get('content-encoding')).toBeNull();
  }
});

describe('the entity tag of a block', () => {
  const path = '/reads/reads.bam?referenceName=chr1&start=1000&end=60000';
  const tagOf = async (query: string, options: Parameters<typeof fixtureHandler>[0] = {}): Promise<string | null> => {
    const { handler, url } = await blockOf('reads.bam', path + query, options);
    return (await handler(new Request(url, { method: 'HEAD' }))).headers.get('etag');
  };

  test('equals that of another ticket for the same bytes from another replica', async () => {
    const tag = await tagOf('');
    expect(tag).toMatch(/^"[\w-]{24}"$/);
    expect(await tagOf('', { limits: { blockUrlSeconds: 60 } })).toBe(tag);
  });

  test('differs if the bytes differ', async () => {
    const tags = await Promise.all([
      tagOf(''),
      tagOf('&tags='),
      tagOf('', { precision: 'chunks' }),
      tagOf('', { compressionLevel: 1 }),
    ]);
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('is missing if the storage gives no version', async () => {
    const { data } = fixtureFile('reads.bam');
    const file: StoredFile = {
      ...fixtureFile('reads.bam'),
      data: {
        key: data.key,
        stat: async () => ({ size: (await data.stat()).size }),
        read: (range) => data.read(range),
        stream: (range) => data.stream(range),
      },
    };
    const handler = fixtureHandler({}, { a: [file] });
    const { htsget } = await fetchTicket(handler, '/reads/a');
    const response = await handler(new Request(htsget.urls[1]?.url ?? '', { method: 'HEAD' }));
    expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
  });

  test.each(['W/"1"', 'Sat, 21 Nov 2026 12:00:00 GMT 323817'])(
    'is missing for the version %s, which other bytes may share',
    async (version) => {
      const data = memorySource(readFixture('no-eof.bam'), { key: 'weak', version });
      const handler = fixtureHandler({}, { a: [{ format: 'BAM', data }] });
      const { htsget } = await fetchTicket(handler, '/reads/a');
      const response = await handler(new Request(htsget.urls[1]?.url ?? '', { method: 'HEAD' }));
      expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
    },
  );

  test('keeps a Range in force if If-Range equals it', async () => {
    const { handler, url, bytes } = await blockOf('no-eof.bam', '/reads/no-eof.bam');
    const etag = (await handler(new Request(url, { method: 'HEAD' }))).headers.get('etag') ?? '';
    const statusOf = async (ifRange: string): Promise<number> =>
      (await handler(new Request(url, { headers: { range: 'bytes=1-2', 'if-range': ifRange } }))).status;
    expect(bytes.length).toBeGreaterThan(3);
    expect([await statusOf(etag), await statusOf('"other"'), await statusOf(`W/${etag}`)]).toEqual([206, 200, 200]);
  });

  // If this fails, increase ENCODING in block-claim.ts: a client may resume a block with bytes of another encoding.
  test('stands for the same bytes as in earlier releases', async () => {
    const { bytes } = await blockOf('reads.bam', `${path}&tags=NM`);
    expect(createHash('sha256').update(bytes).digest('base64')).toMatchInlineSnapshot(
      `"WFKuiBhnARG0y10pGVqORrQdX6phBptz2G/0zXa78Hg="`,
    );
  });
});

describe('short blocks that are made anew', () => {
  const PATH = '/reads/reads.bam?referenceName=chr1&start=1000&end=9000';

  /** A handler whose workers count the blocks that they make. */
  async function countingHandler(): Promise<{ handler: Handler; url: string; made: () => number; file: StoredFile }> {
    const workers = observeTransforms(inProcess);
    const file = fixtureFile('reads.bam');
    const handler = fixtureHandler({ workers }, { 'reads.bam': [file] });
    const { htsget } = await fetchTicket(handler, PATH);
    const url = htsget.urls.find((block) => block.url.startsWith('http'))?.url ?? '';
    const before = workers.opened.length;
    return { handler, url, made: () => workers.opened.length - before, file };
  }

  test('are made once for clients that request them at the same time, and later', async () => {
    const { handler, url, made } = await countingHandler();
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async () => Buffer.from(await (await handler(new Request(url))).arrayBuffer())),
    );
    const [first = Buffer.alloc(0)] = bodies;
    expect(first.length).toBeGreaterThan(1000);
    expect(bodies.every((body) => body.equals(first))).toBe(true);
    await (await handler(new Request(url))).arrayBuffer();
    expect(made()).toBe(1);
  });

  test('are complete for others if the first client leaves', async () => {
    const { handler, url, made } = await countingHandler();
    const controller = new AbortController();
    const left = handler(new Request(url, { signal: controller.signal }));
    const other = handler(new Request(url));
    controller.abort();
    const response = await other;
    expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
    await left;
    expect(made()).toBe(1);
  });

  test('are 409 once the file has changed', async () => {
    const { handler, url, file } = await countingHandler();
    await (await handler(new Request(url))).arrayBuffer();
    vi.spyOn(file.data, 'stat').mockResolvedValue({ size: 9, version: 'new' });
    expect((await handler(new Request(url))).status).toBe(409);
  });
});
