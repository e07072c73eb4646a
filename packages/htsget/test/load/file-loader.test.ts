import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import type { ByteSource } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { decodeBam, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { HtsgetLimits, StoredFile } from '../../src/index.js';
import { fixtureFile, fixtureHandler, fixturePathOf } from '../fixture-files.js';
import { fetchFile, fetchTicket, type Handler } from '../read-ticket.js';

/** A source that counts its calls and, like a real one, answers after a turn of the event loop. */
class CountingSource implements ByteSource {
  readonly key: string;
  stats = 0;
  reads = 0;
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.key = source.key;
    this.#source = source;
  }

  async stat(...args: Parameters<ByteSource['stat']>): ReturnType<ByteSource['stat']> {
    this.stats++;
    await new Promise((resolve) => setImmediate(resolve));
    return this.#source.stat(...args);
  }

  async read(...args: Parameters<ByteSource['read']>): ReturnType<ByteSource['read']> {
    this.reads++;
    await new Promise((resolve) => setImmediate(resolve));
    return this.#source.read(...args);
  }

  stream(...args: Parameters<ByteSource['stream']>): ReadableStream<Uint8Array> {
    this.reads++;
    return this.#source.stream(...args);
  }
}

interface Counted {
  readonly handler: Handler;
  readonly data: CountingSource;
  readonly index: CountingSource;
  readonly path: string;
}

function countedHandler(name: string, limits: Partial<HtsgetLimits> = { blockBytes: 131_072 }): Counted {
  const file = fixtureFile(name);
  const data = new CountingSource(file.data);
  const index = new CountingSource(file.index ?? memorySource(new Uint8Array(0)));
  const handler = fixtureHandler({ limits }, { [name]: [{ format: file.format, data, index }] });
  return { handler, data, index, path: `${fixturePathOf(name)}&referenceName=chr1&start=1000&end=3000` };
}

const names = ['reads.bam', 'reads.cram', 'variants.vcf.gz', 'variants.bcf', 'reads-csi.bam'];

describe.each(names)('%s', (name) => {
  test('a ticket of a cached file reads nothing of it', async () => {
    const { handler, data, index, path } = countedHandler(name);
    const whole = fixturePathOf(name);
    const paths = [path, whole, `${whole}&class=header`, `${whole}&referenceName=chr2`];
    const askAll = async (): Promise<number[]> => {
      const tickets = [];
      for (const asked of paths) tickets.push(await fetchTicket(handler, asked));
      return tickets.map(({ htsget }) => htsget.urls.length);
    };
    const blocks = await askAll();
    const { reads, stats } = data;
    const indexReads = index.reads;
    expect(await askAll()).toEqual(blocks);
    expect([data.reads, index.reads, data.stats]).toEqual([reads, indexReads, stats + paths.length]);
  });

  test('concurrent requests share one load of its header and index', async () => {
    const one = countedHandler(name);
    await fetchTicket(one.handler, one.path);
    const many = countedHandler(name);
    const tickets = await Promise.all(Array.from({ length: 50 }, () => fetchTicket(many.handler, many.path)));
    expect([many.data.reads, many.index.reads]).toEqual([one.data.reads, one.index.reads]);
    expect(new Set(tickets.map((ticket) => ticket.htsget.urls.length)).size).toBe(1);
  });

  test('a cache of 0 bytes loads the index for each request', async () => {
    const { handler, index, path } = countedHandler(name, { cacheBytes: 0 });
    for (let i = 0; i < 3; i++) await fetchTicket(handler, path);
    expect(index.reads).toBe(3);
  });
});

test('the boundaries of a long file are searched for once, for all regions', async () => {
  const { handler, data } = countedHandler('reads.bam');
  const { htsget } = await fetchTicket(handler, '/reads/reads.bam');
  expect(htsget.urls.length).toBeGreaterThan(3);
  const { reads } = data;
  await fetchTicket(handler, '/reads/reads.bam?referenceName=chr1');
  expect(data.reads).toBe(reads);
});

test('an index is built on demand only once', async () => {
  const data = new CountingSource(fixtureFile('reads.bam').data);
  const handler = fixtureHandler({}, { a: [{ format: 'BAM', data }] });
  const path = '/reads/a?referenceName=chr1&start=1000&end=3000';
  await fetchTicket(handler, '/reads/a');
  const reads = data.reads;
  await Promise.all(Array.from({ length: 20 }, () => fetchTicket(handler, path)));
  await fetchTicket(handler, path);
  expect(data.reads).toBe(reads + 1);
});

describe('a file that is replaced', () => {
  /** An object whose file can be replaced by another version under the same key. */
  function replaceable(): { handler: Handler; replace: (name: string) => void } {
    const stored = (name: string, version = name): StoredFile => ({
      format: 'BAM',
      data: memorySource(readFixture(name), { key: 'place', version }),
      index: memorySource(readFixture(name === 'reads-csi.bam' ? `${name}.csi` : `${name}.bai`), {
        key: 'index',
        version,
      }),
    });
    let files = [stored('reads.bam')];
    const handler = fixtureHandler({ resolve: async () => files });
    return {
      handler,
      replace: (name) => {
        files = [stored(name)];
      },
    };
  }

  const path = '/reads/a?referenceName=chr1&start=1000&end=60000';

  test('is noticed by the next ticket', async () => {
    const { handler, replace } = replaceable();
    await fetchTicket(handler, path);
    replace('reads-csi.bam');
    const expected = await fetchFile(fixtureHandler(), path.replace('/a?', '/reads-csi.bam?'));
    expect(Buffer.compare(await fetchFile(handler, path), expected)).toBe(0);
  });

  test('answers blocks of its old tickets with 409, for GET, HEAD and ranges', async () => {
    const { handler, replace } = replaceable();
    for (const query of [path, '/reads/a']) {
      const { htsget } = await fetchTicket(handler, query);
      const urls = htsget.urls.map(({ url }) => url).filter((url) => !url.startsWith('data:'));
      expect(urls.length).toBeGreaterThan(0);
      for (const url of urls) expect((await handler(new Request(url))).status).toBe(200);
      replace('reads-csi.bam');
      for (const url of urls) {
        expect((await handler(new Request(url))).status).toBe(409);
        expect((await handler(new Request(url, { method: 'HEAD' }))).status).toBe(409);
        expect((await handler(new Request(url, { headers: { range: 'bytes=0-9' } }))).status).toBe(409);
      }
      replace('reads.bam');
    }
  });

  /** A handler of a file whose first stats return an earlier version. */
  function changingHandler(earlierStats: number): Handler {
    const file = fixtureFile('reads.bam');
    let stats = 0;
    const changing: ByteSource = Object.assign(Object.create(file.data) as ByteSource, {
      stat: async () => ({ ...(await file.data.stat()), version: stats++ < earlierStats ? 'before' : '1' }),
      read: file.data.read.bind(file.data),
      stream: file.data.stream.bind(file.data),
    });
    return fixtureHandler({}, { a: [{ ...file, data: changing }] });
  }

  test('while its ticket is being made is answered in its new version', async () => {
    const expected = await fetchFile(fixtureHandler(), '/reads/reads.bam');
    expect(Buffer.compare(await fetchFile(changingHandler(1), '/reads/a'), expected)).toBe(0);
  });

  test('twice while its ticket is being made is a 503 with Retry-After', async () => {
    const handler = changingHandler(2);
    const ask = (): Promise<Response> => handler(new Request('http://localhost/reads/a'));
    const response = await ask();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await ask()).status).toBe(200);
  });
});

test('answers a long CRAM file whole if its index is corrupt, and reports the error', async () => {
  const index = memorySource(new TextEncoder().encode('garbage'), { key: 'garbage', version: '1' });
  const errors: unknown[][] = [];
  const handler = fixtureHandler(
    { limits: { blockBytes: 131_072 }, onError: (error, object) => errors.push([error, object]) },
    { a: [{ ...fixtureFile('reads.cram'), index }] },
  );
  const file = await fetchFile(handler, '/reads/a?format=CRAM');
  expect(Buffer.compare(file, readFixture('reads.cram'))).toBe(0);
  expect(errors).toMatchObject([[{ code: 'INVALID_DATA' }, { datatype: 'reads', id: 'a' }]]);
});

describe('an index that cannot be built on demand', () => {
  const path = '/reads/a?referenceName=chr1&start=1000&end=3000';
  const url = `http://localhost${path}`;

  test('is not built again if the data is corrupt', async () => {
    const bytes = new Uint8Array(readFixture('reads.bam'));
    bytes.fill(0xff, 200_000, 200_100);
    const data = new CountingSource(memorySource(bytes, { key: 'corrupt', version: '1' }));
    const handler = fixtureHandler({}, { a: [{ format: 'BAM', data }] });
    expect((await handler(new Request(url))).status).toBe(500);
    const { reads } = data;
    expect((await handler(new Request(url))).status).toBe(500);
    expect(data.reads).toBe(reads);
  });

  test('is not used if it exceeds the limit or cannot be cached', async () => {
    const expected = await fetchFile(fixtureHandler({ precision: 'exact' }), path.replace('/a?', '/reads.bam?'));
    const versionless = memorySource(readFixture('reads.bam'), { key: 'versionless' });
    for (const data of [fixtureFile('reads.bam').data, versionless]) {
      const handler = fixtureHandler({ limits: { indexBytes: 100 } }, { a: [{ format: 'BAM', data }] });
      expect(decodeBam(await fetchFile(handler, path)).records).toEqual(decodeBam(expected).records);
    }
  });
});

test('a header of many references is cached in a cache of some 100 bytes for each', async () => {
  const count = 100_000;
  const lines = Array.from({ length: count }, (_, id) => `@SQ\tSN:contig_${id}\tLN:1000\n`).join('');
  const references = Array.from({ length: count }, (_, id) => {
    const name = Buffer.from(`contig_${id}\0`);
    const reference = Buffer.alloc(8 + name.length);
    reference.writeInt32LE(name.length, 0);
    name.copy(reference, 4);
    reference.writeInt32LE(1000, 4 + name.length);
    return reference;
  });
  const start = Buffer.alloc(8);
  start.write('BAM\u0001', 'latin1');
  start.writeInt32LE(lines.length, 4);
  const counts = Buffer.alloc(4);
  counts.writeInt32LE(count);
  const bytes = Buffer.concat([start, Buffer.from(lines), counts, ...references]);
  const data = new CountingSource(memorySource(Buffer.concat([deflateBlocks(bytes), EOF_MARKER]), { version: '1' }));
  // Half of the cache is for headers.
  const handler = fixtureHandler({ limits: { cacheBytes: 2 * 130 * count } }, { many: [{ format: 'BAM', data }] });
  await fetchTicket(handler, '/reads/many?class=header');
  const { reads } = data;
  await fetchTicket(handler, '/reads/many?class=header');
  expect(data.reads).toBe(reads);
});
