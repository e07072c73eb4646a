import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { parseCramContainerHeader } from '@htskit/formats';
import { cramEofContainer, cramHeaderLength } from '@htskit/formats/internal';
import { type ByteSource, concatBytes, toByteStream } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { collectSlowly, expectations, readFixture, sample, toOrdinals } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  type CramReferenceRequest,
  DeliveryWorkers,
  type HtsgetOptions,
  planFile,
  type StoredFile,
  streamPlan,
} from '../../src/index.js';
import { fastaReference, genomeReference, referencedFile, type SamText, toSam } from '../cram-conversion.js';
import { cramNames, fixtureFile, fixtureHandler } from '../fixture-files.js';
import { fetchBlocks, fetchFile, fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';

function sha256(lines: readonly string[]): string {
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''), 'latin1')
    .digest('hex');
}

/** A handler over the CRAM fixtures with their reference. */
function convertingHandler(
  options: Partial<HtsgetOptions> = {},
  objects: Readonly<Record<string, readonly StoredFile[]>> = {},
): Handler {
  const fixtures = Object.fromEntries(cramNames.map((name) => [name.replace('.cram', ''), [fixtureFile(name)]]));
  return fixtureHandler(
    { reference: genomeReference, ...options },
    { ...fixtures, referenced: [referencedFile], ...objects },
  );
}

const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const OPTIONS: readonly (readonly [name: string, options: Partial<HtsgetOptions>])[] = [
  ['by default', {}],
  [
    'by chunks, in many blocks, the header by URL',
    { precision: 'chunks', limits: { convertedBytes: 1, inlineBytes: 0 } },
  ],
];

async function* one(bytes: Promise<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  yield await bytes;
}

/** Returns a source of the given bytes and, for a number, as many zeros. Reports the length of the longest read. */
function sparseSource(parts: readonly (Uint8Array | number)[]): {
  readonly source: ByteSource;
  readonly longest: () => number;
} {
  const lengthOf = (part: Uint8Array | number): number => (typeof part === 'number' ? part : part.length);
  const size = parts.reduce<number>((sum, part) => sum + lengthOf(part), 0);
  let longest = 0;
  const read: ByteSource['read'] = async ({ start, end }) => {
    longest = Math.max(longest, Math.min(end, size) - start);
    let offset = 0;
    return concatBytes(
      parts.map((part) => {
        const [from, to] = [start, end].map((at) => Math.min(Math.max(at - offset, 0), lengthOf(part)));
        offset += lengthOf(part);
        return typeof part === 'number' ? new Uint8Array((to ?? 0) - (from ?? 0)) : part.subarray(from, to);
      }),
    );
  };
  const source: ByteSource = {
    key: 'sparse',
    stat: async () => ({ size, version: '1' }),
    read,
    stream: (range) => toByteStream(one(read(range))),
  };
  return { source, longest: () => longest };
}

function withoutMismatches(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/\t(MD|NM):\S*/g, ''));
}

/** The SHA-256 of the records of v21.cram. */
const withoutMismatchesSha256 = sha256(withoutMismatches(toSam(readFixture('reads-csi.bam')).lines));

const idOf = (name: string): string => name.replace('.cram', '');

describe.each(OPTIONS)('%s', (_, options) => {
  test.each(cramNames)('%s is the BAM that samtools makes of it', async (name) => {
    const { textSha256, header, recordCount } = expectations(name);
    const handler = convertingHandler(options);
    const sam = toSam(await fetchFile(handler, `/reads/${idOf(name)}`));
    expect(sam.lines).toHaveLength(recordCount);
    // The expectations lack the MD and NM that a decoder makes of the embedded reference.
    const hasReference = name === 'v21.cram';
    expect(sha256(hasReference ? withoutMismatches(sam.lines) : sam.lines)).toBe(
      hasReference ? withoutMismatchesSha256 : textSha256,
    );
    expect(sam.header).toBe(header);
    expect((await fetchTicket(handler, `/reads/${idOf(name)}`)).htsget.format).toBe('BAM');
  });

  test.each(cramNames)('regions of %s have exactly the records that overlap', async (name) => {
    const { regions, recordCount, unplacedCount } = expectations(name);
    const handler = convertingHandler(options);
    const { lines } = toSam(await fetchFile(handler, `/reads/${idOf(name)}?format=BAM`));
    for (const { referenceName, start, end, records } of sample(regions)) {
      const path = `/reads/${idOf(name)}?referenceName=${referenceName}&start=${start}&end=${end}`;
      const answer = toSam(await fetchFile(handler, path));
      expect(answer.lines).toEqual(toOrdinals(records).map((ordinal) => lines[ordinal]));
    }
    const unplaced = toSam(await fetchFile(handler, `/reads/${idOf(name)}?referenceName=*`));
    expect(unplaced.lines).toEqual(lines.slice(recordCount - unplacedCount));
  });
});

describe('BAM from CRAM', () => {
  const name = 'reads.cram';
  const { regions } = expectations(name);
  const [first, second] = regions.filter(({ records }) => records.length > 0);
  if (first === undefined || second === undefined) throw new Error('the fixture has too few regions');
  const toRegion = ({ referenceName, start, end }: typeof first): object => ({ referenceName, start, end });

  test.each(sample(cramNames))('needs no index: %s', async (cram) => {
    const { data } = fixtureFile(cram);
    const objects = { bare: [{ format: 'CRAM', data } as const] };
    // An index that is built on demand knows the slices, and the container headers the containers.
    for (const limits of [{}, { indexedBytes: 0, convertedBytes: 1 }]) {
      const handler = convertingHandler({ limits }, objects);
      const sam = toSam(await fetchFile(handler, '/reads/bare'));
      expect(sam.lines.map((line) => line.replace(/^[^\t]*/, ''))).toEqual(
        toSam(await fetchFile(convertingHandler(), `/reads/${cram}`)).lines.map((line) => line.replace(/^[^\t]*/, '')),
      );
      for (const { referenceName, start, end, records } of sample(expectations(cram).regions)) {
        const path = `/reads/bare?referenceName=${referenceName}&start=${start}&end=${end}`;
        const answer = toSam(await fetchFile(handler, path));
        expect(answer.lines).toEqual(toOrdinals(records).map((ordinal) => sam.lines[ordinal]));
      }
    }
  });

  test('is split by the containers that a walk over their headers finds', async () => {
    const { data } = fixtureFile(name);
    const limits = { indexedBytes: 0, convertedBytes: 1, blockBytes: 1 };
    const bare = fixtureHandler({ reference: genomeReference, limits }, { bare: [{ format: 'CRAM', data }] });
    const indexed = fixtureHandler({ reference: genomeReference, limits });
    const [walked, known] = [await fetchTicket(bare, '/reads/bare'), await fetchTicket(indexed, `/reads/${name}`)];
    expect(walked.htsget.urls.length).toBeGreaterThan(3);
    expect(walked.htsget.urls).toHaveLength(known.htsget.urls.length);
  });

  test('has several regions of a POST once, in file order', async () => {
    const handler = convertingHandler();
    const { lines } = toSam(await fetchFile(handler, `/reads/${name}`));
    const asked = regions.slice(0, 12);
    const ordinals = new Set(asked.flatMap(({ records }) => toOrdinals(records)));
    const file = await fetchFile(handler, `/reads/${name}`, post({ regions: asked.map(toRegion).reverse() }));
    expect(toSam(file).lines).toEqual(lines.filter((_, ordinal) => ordinals.has(ordinal)));
  });

  test('has more regions than a block URL can carry, each record once', async () => {
    const handler = convertingHandler({ authorize: () => ({ regions: asked }) });
    const asked = Array.from({ length: 150 }, (_, i) => ({
      referenceName: i < 100 ? 'chr1' : 'chr2',
      start: 100 * (i % 100),
      end: 100 * (i % 100) + 40,
    }));
    const { lines } = toSam(await fetchFile(convertingHandler(), `/reads/${name}`));
    const single = new Set<string>();
    for (let at = 0; at < asked.length; at += 50) {
      const part = await fetchFile(
        convertingHandler(),
        `/reads/${idOf(name)}`,
        post({ regions: asked.slice(at, at + 50) }),
      );
      for (const line of toSam(part).lines) single.add(line);
    }
    expect(single.size).toBeGreaterThan(100);
    const whole = toSam(await fetchFile(handler, `/reads/${name}`));
    expect(whole.lines).toEqual(lines.filter((line) => single.has(line)));
    expect(toSam(await fetchFile(handler, `/reads/${name}`, post({ regions: asked }))).lines).toEqual(whole.lines);
  });

  test('keeps the selected fields and tags', async () => {
    const handler = convertingHandler();
    const { lines } = toSam(await fetchFile(handler, `/reads/${name}?fields=QNAME,FLAG,POS&tags=NM`));
    expect(lines).toHaveLength(expectations(name).recordCount);
    for (const line of lines) {
      const [, , , , , cigar, , , , seq, qual, ...tags] = line.split('\t');
      expect([cigar, seq, qual]).toEqual(['*', '*', '*']);
      expect(tags.every((tag) => tag.startsWith('NM:'))).toBe(true);
    }
    expect(lines.some((line) => line.includes('\tNM:'))).toBe(true);
    const { lines: others } = toSam(await fetchFile(handler, `/reads/${name}?notags=NM,MD`));
    expect(others.some((line) => /\t(NM|MD):/.test(line))).toBe(false);
  });

  test('has only the records of permitted regions, whatever the precision', async () => {
    const { referenceName, start, end } = first;
    const authorize = (): { regions: { referenceName: string; start: number; end: number }[] } => ({
      regions: [{ referenceName, start, end }],
    });
    const { lines } = toSam(await fetchFile(convertingHandler(), `/reads/${name}`));
    const handler = convertingHandler({ authorize, precision: 'chunks' });
    const expected = toOrdinals(first.records).map((ordinal) => lines[ordinal]);
    expect(toSam(await fetchFile(handler, `/reads/${name}`)).lines).toEqual(expected);
    const denied = await handler(new Request(`${PUBLIC_URL}/reads/${name}?format=CRAM`));
    expect([denied.status, await denied.text()]).toEqual([403, expect.stringContaining('request BAM')]);
    const off = convertingHandler({ authorize, conversions: false });
    const refused = await off(new Request(`${PUBLIC_URL}/reads/${name}?format=CRAM`));
    expect([refused.status, await refused.text()]).toEqual([403, expect.not.stringContaining('request BAM')]);
  });

  test('has only the header of the file for class=header', async () => {
    const handler = fixtureHandler();
    const { header, lines } = toSam(await fetchFile(handler, `/reads/${name}?class=header`));
    expect(lines).toEqual([]);
    expect(header).toBe(expectations(name).header);
  });

  test.each(sample(cramNames))('is the same from worker threads and from a plan: %s', async (cram) => {
    const workers = new DeliveryWorkers({ threads: 2 });
    try {
      const expected = await fetchFile(convertingHandler(), `/reads/${cram}`);
      expect(Buffer.compare(await fetchFile(convertingHandler({ workers }), `/reads/${cram}`), expected)).toBe(0);
      const file = fixtureFile(cram);
      const plan = await planFile(file, { format: 'BAM' }, { reference: genomeReference, workers });
      const options = { reference: genomeReference, workers, namePrefix: cram };
      const bytes = await collectSlowly(streamPlan(plan, file.data, options));
      expect(toSam(bytes).lines).toHaveLength(expectations(cram).recordCount);
    } finally {
      await workers.close();
    }
  });

  test('has the same URLs, entity tags and bytes from all replicas', async () => {
    const options = { limits: { convertedBytes: 1 }, now: () => 0, signingKeys: [new Uint8Array(32)] as const };
    const replicas = [convertingHandler(options), convertingHandler(options)] as const;
    const [ticket, other] = await Promise.all(replicas.map((replica) => fetchTicket(replica, `/reads/${name}`)));
    expect(other).toEqual(ticket);
    const urls = (ticket?.htsget.urls ?? []).map(({ url }) => url).filter((url) => url.startsWith(PUBLIC_URL));
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) {
      const [a, b] = await Promise.all(replicas.map((replica) => replica(new Request(url))));
      expect(a?.headers.get('etag')).toMatch(/^"/);
      expect(b?.headers.get('etag')).toBe(a?.headers.get('etag'));
      const bytes = new Uint8Array((await a?.arrayBuffer()) ?? new ArrayBuffer(0));
      expect(new Uint8Array((await b?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes);
      // The length is known once the block was sent, and a client can resume.
      const rest = await replicas[0](new Request(url, { headers: { range: `bytes=${bytes.length - 9}-` } }));
      expect(rest.status).toBe(206);
      expect(new Uint8Array(await rest.arrayBuffer())).toEqual(bytes.subarray(bytes.length - 9));
    }
  });

  test('has another entity tag if its header names another program', async () => {
    const signingKeys: HtsgetOptions['signingKeys'] = [new Uint8Array(32)];
    const limits = { inlineBytes: 0 };
    const tags: (string | null | undefined)[] = [];
    for (const program of [undefined, { name: 'a', version: '1' }, { name: 'a', version: '2' }]) {
      const handler = convertingHandler({ signingKeys, limits, program, now: () => 0 });
      const { htsget } = await fetchTicket(handler, '/reads/v21.cram?class=header');
      const url = htsget.urls.find((block) => block.url.startsWith(PUBLIC_URL))?.url ?? '';
      tags.push((await handler(new Request(url))).headers.get('etag'));
    }
    expect(tags).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    expect(new Set(tags).size).toBe(3);
  });

  test('aborts what its reference is fetched with when the client leaves', async () => {
    const asked: CramReferenceRequest[] = [];
    const leaving = new AbortController();
    const reference = (request: CramReferenceRequest): Promise<Uint8Array | undefined> => {
      asked.push(request);
      if (request.end - request.start === 1) return genomeReference(request);
      queueMicrotask(() => leaving.abort());
      return new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    const errors: unknown[] = [];
    const handler = convertingHandler({ reference, onError: (error) => errors.push(error) });
    const { htsget } = await fetchTicket(handler, '/reads/referenced');
    const url = htsget.urls.find((block) => block.url.startsWith(PUBLIC_URL))?.url ?? '';
    const count = asked.length;
    const response = await handler(new Request(url, { signal: leaving.signal })).catch((error: unknown) => error);
    expect(response).not.toMatchObject({ status: 200 });
    expect(asked.slice(count).map(({ signal }) => signal?.aborted)).toEqual([true]);
  });

  test('has the records of a file that needs a reference, with bases from it', async () => {
    const workers = new DeliveryWorkers({ threads: 1 });
    try {
      const bam = withoutMismatches(toSam(readFixture('reads-csi.bam')).lines);
      for (const options of [{}, { workers }]) {
        const { lines } = toSam(await fetchFile(convertingHandler(options), '/reads/referenced'));
        expect(withoutMismatches(lines)).toEqual(bam);
        expect(lines.filter((line) => /\tMD:Z:/.test(line)).length).toBeGreaterThan(500);
      }
    } finally {
      await workers.close();
    }
  });
});

describe('a reference that is not available', () => {
  const objects = { referenced: [referencedFile] };
  const handlerOf = (reference?: HtsgetOptions['reference']): Handler => fixtureHandler({ reference }, objects);

  test('is known when the ticket is made, and named with CRAM', async () => {
    const response = await handlerOf()(new Request(`${PUBLIC_URL}/reads/referenced`));
    expect(response.status).toBe(400);
    const { htsget } = (await response.json()) as { htsget: { error: string; message: string } };
    expect(htsget.error).toBe('UnsupportedFormat');
    expect(htsget.message).toMatch(/made from CRAM, whose reference "chr1" \(MD5 [0-9a-f]{32}\) is not available/);
  });

  test('matters only for the regions that need it', async () => {
    const handler = handlerOf(async (request) => (request.name === 'chr2' ? undefined : genomeReference(request)));
    const part = await fetchFile(handler, '/reads/referenced?referenceName=chr1&start=0&end=5000');
    expect(toSam(part).lines.length).toBeGreaterThan(0);
    const response = await handler(new Request(`${PUBLIC_URL}/reads/referenced?referenceName=chr2`));
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('chr2')]);
    expect((await handler(new Request(`${PUBLIC_URL}/reads/referenced?format=CRAM`))).status).toBe(200);
  });

  test('is looked for once per file, by its first base', async () => {
    const found: string[] = [];
    const handler = handlerOf((request) => {
      found.push(`${request.name}:${request.start}-${request.end}`);
      return genomeReference(request);
    });
    await fetchTicket(handler, '/reads/referenced');
    const first = ['chr1:0-1', 'chr2:0-1', 'chrM:0-1', 'HLA-A*01:01:01:01:0-1'];
    expect(found).toEqual(first);
    await fetchTicket(handler, '/reads/referenced');
    expect(found).toEqual(first);
  });

  test('is looked for with the signal of the request', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const handler = handlerOf((request) => {
      signals.push(request.signal);
      return genomeReference(request);
    });
    const controller = new AbortController();
    await handler(new Request(`${PUBLIC_URL}/reads/referenced`, { signal: controller.signal }));
    controller.abort();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true, true]);
  });

  test('does not matter for a file that needs none', async () => {
    const missing: string[] = [];
    const reference = async ({ name }: CramReferenceRequest): Promise<undefined> => {
      missing.push(name);
    };
    const { lines } = toSam(await fetchFile(fixtureHandler({ reference }), '/reads/v21.cram'));
    expect(lines.length).toBeGreaterThan(1000);
    expect(missing.length).toBeGreaterThan(0);
  });
});

describe('a reference of containers of several references, without an index', () => {
  const data = memorySource(readFixture('cram/htslib-3.1.cram'), { key: 'several', version: '1' });
  const objects = { several: [{ format: 'CRAM', data } as const] };
  const records = fastaReference('cram/records.fa');
  const limits = { indexedBytes: 0, convertedBytes: 1 };
  const namesOf = ({ lines }: SamText): Set<string> => new Set(lines.map((line) => line.split('\t')[2] ?? ''));

  test('is looked for when the ticket is made', async () => {
    const whole = toSam(await fetchFile(fixtureHandler({ reference: records, limits }, objects), '/reads/several'));
    expect(whole.lines).toHaveLength(111);
    for (const missing of namesOf(whole)) {
      if (missing === '*') continue;
      const reference = async (request: CramReferenceRequest): Promise<Uint8Array | undefined> =>
        request.name === missing ? undefined : records(request);
      const handler = fixtureHandler({ reference, limits }, objects);
      for (const path of ['/reads/several', `/reads/several?referenceName=${missing}`]) {
        const response = await handler(new Request(`${PUBLIC_URL}${path}`));
        expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(`"${missing}`)]);
      }
    }
  });

  test('is not looked for unless a record refers to it', async () => {
    const found = new Set<string>();
    const reference = (request: CramReferenceRequest): Promise<Uint8Array | undefined> => {
      found.add(request.name);
      return records(request);
    };
    const handler = fixtureHandler({ reference, limits }, objects);
    const whole = toSam(await fetchFile(handler, '/reads/several'));
    const names = namesOf(whole);
    names.delete('*');
    expect([...found].sort()).toEqual([...names].sort());
  });
});

describe('containers of several references, without an index', () => {
  const limits = { indexedBytes: 0, convertedBytes: 1 };
  const stored = readFixture('cram/htslib-3.1.cram');
  const version = { major: 3, minor: 1 } as const;
  const first = cramHeaderLength(stored) ?? 0;
  const container = parseCramContainerHeader(stored.subarray(first), { version, offset: first });
  const end = first + (container?.headerLength ?? 0) + (container?.length ?? 0);
  const records = fastaReference('cram/records.fa');
  const get = (handler: Handler, path: string): Promise<Response> => handler(new Request(`${PUBLIC_URL}${path}`));

  test('need only the references that the regions name if they are many, in any order of requests', async () => {
    // The first container has no records on "three".
    const containers = Array.from({ length: 33 }, () => stored.subarray(first, end));
    const bytes = Buffer.concat([stored.subarray(0, first), ...containers, cramEofContainer(version)]);
    const reference = async (request: CramReferenceRequest): Promise<Uint8Array | undefined> =>
      request.name === 'three' ? undefined : records(request);
    const [whole, region] = ['/reads/many', '/reads/many?referenceName=three'];
    for (const paths of [
      [whole, region, whole],
      [region, whole, region],
    ]) {
      const data = memorySource(bytes, { key: 'many', version: '1' });
      const handler = fixtureHandler({ reference, limits }, { many: [{ format: 'CRAM', data }] });
      for (const path of paths) {
        expect([path, (await get(handler, path)).status]).toEqual([path, path === whole ? 200 : 400]);
      }
    }
  });

  test('are not read for a ticket if they are too long to be decoded', async () => {
    const header = Buffer.from(stored.subarray(first, first + (container?.headerLength ?? 0)));
    const length = 2 ** 26 + 1;
    header.writeInt32LE(length);
    header.writeUInt32LE(crc32(header.subarray(0, -4)), header.length - 4);
    const start = Buffer.concat([stored.subarray(0, first), header]);
    const { source, longest } = sparseSource([start, length, cramEofContainer(version)]);
    const handler = fixtureHandler({ reference: records, limits }, { long: [{ format: 'CRAM', data: source }] });
    expect((await get(handler, '/reads/long')).status).toBe(200);
    expect(longest()).toBeLessThan(2 ** 20);
  });
});

test('the source of references receives their URIs', async () => {
  const bytes = readFixture('v21.cram');
  const uri = '/genomes/genome-of-the-same-length.f';
  bytes.set(Buffer.from(`UR:${uri.slice(0, 32)}`), Buffer.from(bytes).indexOf('M5:'));
  const data = memorySource(bytes, { key: 'uri', version: '1' });
  const uris: (string | undefined)[] = [];
  const reference = async (request: CramReferenceRequest): Promise<undefined> => {
    uris.push(request.uri);
  };
  await fetchTicket(fixtureHandler({ reference }, { uri: [{ format: 'CRAM', data }] }), '/reads/uri');
  expect(uris.slice(0, 2)).toEqual([uri.slice(0, 32), undefined]);
});

test('slices that decode to more than the limit are refused, and the file is sent as CRAM', async () => {
  const errors: unknown[] = [];
  const handler = convertingHandler({ limits: { sliceBytes: 20_000 }, onError: (error) => errors.push(error) });
  await expect(fetchFile(handler, '/reads/reads?format=BAM')).rejects.toThrow('500');
  expect(errors).toMatchObject([{ name: 'FormatError', code: 'LIMIT_EXCEEDED' }]);
  expect((await fetchFile(handler, '/reads/reads?format=CRAM')).length).toBeGreaterThan(200_000);
});

describe('a damaged CRAM file', () => {
  test('breaks off its blocks, and onError receives the reason', async () => {
    const bytes = readFixture('reads.cram');
    const middle = Math.floor(bytes.length / 2);
    for (let at = middle; at < middle + 200; at++) bytes[at] = 255 - (bytes[at] ?? 0);
    const { index, format } = fixtureFile('reads.cram');
    if (index === undefined) throw new Error('the fixture lacks its index');
    const file: StoredFile = { format, index, data: memorySource(bytes, { key: 'damaged', version: '1' }) };
    const errors: unknown[] = [];
    const handler = convertingHandler({ onError: (error) => errors.push(error) }, { damaged: [file] });
    const ticket = await fetchTicket(handler, '/reads/damaged');
    await expect(fetchBlocks(handler, ticket)).rejects.toThrow(/500|CRC32|terminated|differs/);
    expect(errors).toMatchObject([{ name: 'FormatError' }]);
  });

  test('that was replaced after its ticket is refused', async () => {
    const { data, index, format } = fixtureFile('reads.cram');
    if (index === undefined) throw new Error('the fixture lacks its index');
    const files: StoredFile[] = [{ format, data, index }];
    const handler = convertingHandler({}, { replaced: files });
    const ticket = await fetchTicket(handler, '/reads/replaced');
    files[0] = { format, index, data: memorySource(readFixture('v31.cram'), { key: 'reads.cram', version: '2' }) };
    const url = ticket.htsget.urls.find((block) => block.url.startsWith(PUBLIC_URL))?.url ?? '';
    expect((await handler(new Request(url))).status).toBe(409);
  });
});
