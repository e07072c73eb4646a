import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { endsWithEofMarker } from '@htskit/bgzf/internal';
import { parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
import { parseBinningIndex, readIndex } from '@htskit/indexes';
import type { Ticket } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, createRandom, readFixture, sample, splitBgzf } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { readBgzfFile } from '../../src/file/bgzf-file.js';
import type { HtsgetOptions, StoredFile } from '../../src/index.js';
import { fixtureFile, fixtureHandler, fixturePathOf } from '../fixture-files.js';
import { fetchBlocks, fetchFile, type Handler, PUBLIC_URL } from '../read-ticket.js';

const bgzfNames = [
  'reads.bam',
  'straddle.bam',
  'reads-csi.bam',
  'variants.vcf.gz',
  'variants-csi.vcf.gz',
  'variants.bcf',
];
const cramNames = ['reads.cram', 'v31.cram', 'v21.cram', 'multiref.cram'];

interface Damaged {
  readonly bytes: Uint8Array;
  readonly hasIndex?: boolean;
  readonly options?: Partial<HtsgetOptions>;
}

/** An object whose file is other bytes than the fixture of its name, with the whole index of the fixture. */
function damagedHandler(name: string, { bytes, hasIndex = true, options = {} }: Damaged): Handler {
  const { format, index } = fixtureFile(name);
  const data = memorySource(bytes, { key: `damaged ${name}`, version: '1' });
  const file: StoredFile = hasIndex && index !== undefined ? { format, data, index } : { format, data };
  return fixtureHandler(options, { [name]: [file] });
}

/** The offsets at which the blocks of a fixture begin, and its size. */
function blockStarts(name: string): number[] {
  const bytes = readFixture(name);
  return [...splitBgzf(bytes).map(({ coffset }) => coffset), bytes.length];
}

/** The bytes of a fixture before the EOF marker, or markers, at its end. */
function withoutMarker(name: string): Uint8Array {
  let bytes = readFixture(name);
  while (endsWithEofMarker(bytes)) bytes = bytes.subarray(0, bytes.length - EOF_MARKER.length);
  return bytes;
}

/** The offset of the last record that the index of a fixture places. */
async function placedEnd(name: string): Promise<number> {
  const { index } = fixtureFile(name);
  if (index === undefined) throw new Error(`${name} has no index`);
  return (await readIndex(index, parseBinningIndex)).lastPlacedEnd()?.coffset ?? 0;
}

/** The offset of the first block after the header of a fixture. */
async function headerEndOf(name: string): Promise<number> {
  const { data, format } = fixtureFile(name);
  if (format === 'CRAM') throw new Error(`${name} has no blocks`);
  const { firstRecord } = await readBgzfFile(data, { ...(await data.stat()), format, maxHeaderBytes: 2 ** 20 });
  return blockStarts(name).find((start) => start >= firstRecord.coffset + Math.min(1, firstRecord.uoffset)) ?? 0;
}

/** The offsets at which the data containers of a fixture and its EOF container begin, and its size. */
function containerStarts(name: string): number[] {
  const bytes = readFixture(name);
  const { version, byteLength } = parseCramHeader(bytes);
  const starts = [byteLength];
  for (let at = byteLength; at < bytes.length; starts.push(at)) {
    const header = parseCramContainerHeader(bytes.subarray(at), { version, offset: at });
    at += header === undefined ? bytes.length : header.headerLength + header.length;
  }
  return starts;
}

interface PostInit extends RequestInit {
  readonly body: string;
}

/** A request for a part of a file: a query, or a body. */
interface PartQuery {
  readonly query: string;
  readonly init?: PostInit;
}

/** Queries of parts of a fixture. */
function partQueries(name: string): PartQuery[] {
  const references = ['chr1', 'chr2', 'chrM'];
  const regions = references.flatMap((referenceName) => [
    `&referenceName=${referenceName}`,
    ...[0, 10_000, 30_000].map((start) => `&referenceName=${referenceName}&start=${start}&end=${start + 3000}`),
  ]);
  const unplaced = fixturePathOf(name).startsWith('/reads') ? ['&referenceName=*'] : [];
  const format = /format=(.*)/.exec(fixturePathOf(name))?.[1];
  const body = JSON.stringify({ format, regions: [{ referenceName: 'chr1', end: 2000 }, { referenceName: 'chr2' }] });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  return [...regions, ...unplaced].map((query): PartQuery => ({ query })).concat({ query: '', init });
}

/** The answers of the whole fixtures, by path and body. */
const answers = new Map<string, Promise<Uint8Array>>();
const wholeHandler = fixtureHandler();

async function expectedAnswer(path: string, init: PostInit | undefined): Promise<Uint8Array> {
  const key = `${path} ${init?.body ?? ''}`;
  const answer = answers.get(key) ?? fetchFile(wholeHandler, path, init).then(uncompressed);
  answers.set(key, answer);
  return answer;
}

/** Edges are compressed anew, so that equal data may have other blocks. */
function uncompressed(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f ? bgunzip(bytes) : bytes;
}

/** Compares the answers for parts with those of the whole file. Returns how many were equal, and how many were refused. */
async function compareParts(handler: Handler, name: string): Promise<{ equal: number; refused: number }> {
  const outcomes = { equal: 0, refused: 0 };
  for (const { query, init } of partQueries(name)) {
    const path = init === undefined ? fixturePathOf(name) + query : fixturePathOf(name).replace(/\?.*/, '');
    const response = await handler(new Request(PUBLIC_URL + path, init));
    if (response.status === 500) {
      outcomes.refused++;
      continue;
    }
    const found = uncompressed(await fetchBlocks(handler, (await response.json()) as Ticket));
    expect(Buffer.compare(found, await expectedAnswer(path, init)), `${query} ${init?.method ?? 'GET'}`).toBe(0);
    outcomes.equal++;
  }
  return outcomes;
}

async function statusOf(handler: Handler, path: string): Promise<number> {
  const response = await handler(new Request(PUBLIC_URL + path));
  if (response.status === 200) await fetchBlocks(handler, (await response.json()) as Ticket);
  return response.status;
}

describe.each(bgzfNames)('%s', (name) => {
  const whole = readFixture(name);
  const unmarked = withoutMarker(name);
  const starts = blockStarts(name);

  test('cut at any block is refused whole, and answers only regions that are whole', async () => {
    const total = { equal: 0, refused: 0 };
    const headerEnd = await headerEndOf(name);
    // From the end, so that a part of the cuts has one late in the file, with regions that are whole.
    const cuts = starts.filter((start) => start >= headerEnd && start < unmarked.length).reverse();
    for (const byteLength of sample(cuts)) {
      const handler = damagedHandler(name, { bytes: whole.subarray(0, byteLength) });
      expect(await statusOf(handler, fixturePathOf(name)), `${byteLength}`).toBe(500);
      expect(await statusOf(handler, `${fixturePathOf(name)}&class=header`)).toBe(200);
      const { equal, refused } = await compareParts(handler, name);
      total.equal += equal;
      total.refused += refused;
    }
    expect(total.equal).toBeGreaterThan(0);
    expect(total.refused).toBeGreaterThan(0);
  });

  test('cut at any block and ended by a new EOF marker is refused whole', async () => {
    const [headerEnd, lastPlaced] = [await headerEndOf(name), await placedEnd(name)];
    const cuts = starts.filter((start) => start >= headerEnd && start < Math.min(lastPlaced, unmarked.length));
    expect(cuts.length).toBeGreaterThan(1);
    for (const byteLength of sample(cuts)) {
      const bytes = Buffer.concat([whole.subarray(0, byteLength), EOF_MARKER]);
      expect(await statusOf(damagedHandler(name, { bytes }), fixturePathOf(name)), `${byteLength}`).toBe(500);
    }
  });

  test('cut within a block is refused, with its index and without', async () => {
    const random = createRandom(whole.length);
    const headerEnd = await headerEndOf(name);
    for (let i = 0; i < 8; i++) {
      const byteLength = headerEnd + 1 + Math.floor(random() * (unmarked.length - headerEnd - 1));
      if (starts.includes(byteLength)) continue;
      const bytes = whole.subarray(0, byteLength);
      const indexed = damagedHandler(name, { bytes, hasIndex: true });
      expect(await statusOf(indexed, fixturePathOf(name)), `${byteLength}`).toBe(500);
      await compareParts(indexed, name);
      const unindexed = damagedHandler(name, { bytes, hasIndex: false });
      for (const query of ['', '&referenceName=chr1']) {
        expect(await statusOf(unindexed, fixturePathOf(name) + query), `${byteLength}`).toBe(500);
      }
    }
  });

  test('whose end is zeros is refused', async () => {
    const bytes = new Uint8Array(whole);
    bytes.fill(0, bytes.length - 2000);
    for (const hasIndex of [true, false]) {
      expect(await statusOf(damagedHandler(name, { bytes, hasIndex }), fixturePathOf(name))).toBe(500);
    }
  });

  test('without its EOF marker has the same answers, and one warning', async () => {
    const warnings: unknown[] = [];
    const options = { onWarning: (...warning: unknown[]) => warnings.push(warning) };
    const handler = damagedHandler(name, { bytes: unmarked, options });
    expect((await compareParts(handler, name)).refused).toBe(0);
    const path = fixturePathOf(name);
    const found = uncompressed(await fetchFile(handler, path));
    expect(Buffer.compare(found, await expectedAnswer(path, undefined))).toBe(0);
    const datatype = fixturePathOf(name).startsWith('/reads') ? 'reads' : 'variants';
    expect(warnings).toMatchObject([[{ code: 'TRUNCATED' }, { datatype, id: name }]]);
  });

  test('without its EOF marker is refused if the option truncated is "refuse"', async () => {
    const handler = damagedHandler(name, { bytes: unmarked, options: { truncated: 'refuse' } });
    expect(await statusOf(handler, fixturePathOf(name))).toBe(500);
    expect(await statusOf(handler, `${fixturePathOf(name)}&referenceName=chr1`)).toBe(500);
    expect(await statusOf(handler, `${fixturePathOf(name)}&class=header`)).toBe(200);
    const unharmed = fixtureHandler({ truncated: 'refuse' });
    expect(await statusOf(unharmed, fixturePathOf(name))).toBe(200);
  });
});

describe('a BAM file without an index', () => {
  const whole = readFixture('reads.bam');

  test('that was cut at a block is served with a warning, since nothing proves the loss', async () => {
    const warnings: Error[] = [];
    const bytes = whole.subarray(0, blockStarts('reads.bam')[5]);
    const options = { onWarning: (warning: Error) => warnings.push(warning) };
    const handler = damagedHandler('reads.bam', { bytes, hasIndex: false, options });
    for (const query of ['', '', '&referenceName=chr1']) {
      expect(await statusOf(handler, `${fixturePathOf('reads.bam')}${query}`)).toBe(200);
    }
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/lacks its EOF marker/)]);
  });

  test('that lost some of its unplaced reads is refused because of their number in the index', async () => {
    const name = 'unmapped-only.bam';
    const bytes = readFixture(name);
    const starts = blockStarts(name);
    expect(starts.length).toBeGreaterThan(3);
    for (const byteLength of starts.slice(2, -2)) {
      const handler = damagedHandler(name, { bytes: bytes.subarray(0, byteLength) });
      expect(await statusOf(handler, fixturePathOf(name)), `${byteLength}`).toBe(500);
      expect(await statusOf(handler, `${fixturePathOf(name)}&referenceName=*`)).toBe(500);
    }
    const unmarked = damagedHandler(name, { bytes: bytes.subarray(0, bytes.length - EOF_MARKER.length) });
    expect(await statusOf(unmarked, fixturePathOf(name))).toBe(200);
  });
});

test('a VCF file without an index that ends within a line is refused', async () => {
  const text = new TextEncoder().encode(
    '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\nchr1\t1\t.\tA\tC\t.\t.',
  );
  const [ended, cut] = [`\t.\n`, ''].map((end) => deflateBlocks(Buffer.concat([text, Buffer.from(end)])));
  const statuses = [ended, cut].map((bytes = new Uint8Array(0)) =>
    statusOf(damagedHandler('variants.vcf.gz', { bytes, hasIndex: false }), '/variants/variants.vcf.gz'),
  );
  expect(await Promise.all(statuses)).toEqual([200, 500]);
});

test('a truncated file is reported once, with the name of the object', async () => {
  const errors: unknown[] = [];
  const options = { onError: (error: unknown, object: unknown) => errors.push([error, object]) };
  const bytes = readFixture('reads.bam').subarray(0, blockStarts('reads.bam')[5]);
  const handler = damagedHandler('reads.bam', { bytes, options });
  const path = fixturePathOf('reads.bam');
  for (const query of ['', '', '&referenceName=chrM', '&referenceName=*', '&referenceName=chrM']) {
    expect(await statusOf(handler, path + query)).toBe(500);
  }
  expect(errors).toMatchObject([[{ code: 'TRUNCATED' }, { datatype: 'reads', id: 'reads.bam' }]]);
});

describe.each(cramNames)('%s', (name) => {
  const whole = readFixture(name);
  const starts = containerStarts(name);
  const [headerEnd = 0, eofStart = 0] = [starts[0], starts.at(-2)];

  test('cut at any container is refused whole, and answers only regions that are whole', async () => {
    const total = { equal: 0, refused: 0 };
    for (const byteLength of starts.slice(0, -2)) {
      const handler = damagedHandler(name, { bytes: whole.subarray(0, byteLength) });
      expect(await statusOf(handler, fixturePathOf(name)), `${byteLength}`).toBe(500);
      expect(await statusOf(handler, `${fixturePathOf(name)}&class=header`)).toBe(200);
      const { equal, refused } = await compareParts(handler, name);
      total.equal += equal;
      total.refused += refused;
    }
    expect(total.refused).toBeGreaterThan(0);
    expect(total.equal).toBeGreaterThan(0);
  });

  test('cut within a container is refused whole, with its index and without', async () => {
    const random = createRandom(whole.length);
    const lengths = Array.from({ length: 8 }, () => headerEnd + 1 + Math.floor(random() * (eofStart - headerEnd - 1)));
    // Within the header of the last data container, and within the EOF container.
    lengths.push((starts.at(-3) ?? 0) + 5, eofStart + 7);
    for (const byteLength of lengths.filter((length) => !starts.includes(length))) {
      const bytes = whole.subarray(0, byteLength);
      for (const hasIndex of [true, false]) {
        const handler = damagedHandler(name, { bytes, hasIndex });
        expect(await statusOf(handler, fixturePathOf(name)), `${byteLength} ${hasIndex}`).toBe(500);
        if (hasIndex) await compareParts(handler, name);
      }
    }
  });

  test('without its EOF container has the same answers and a warning, if its index shows that no other is missing', async () => {
    const warnings: unknown[] = [];
    const options = { onWarning: (...warning: unknown[]) => warnings.push(warning) };
    const handler = damagedHandler(name, { bytes: whole.subarray(0, eofStart), options });
    expect((await compareParts(handler, name)).refused).toBe(0);
    expect(Buffer.compare(await fetchFile(handler, fixturePathOf(name)), whole)).toBe(0);
    expect(warnings).toMatchObject([[{ code: 'TRUNCATED' }, { id: name }]]);
  });

  test('without its EOF container and its index is refused from CRAM 3 on', async () => {
    const handler = damagedHandler(name, { bytes: whole.subarray(0, eofStart), hasIndex: false });
    const isRequired = name !== 'v21.cram';
    for (const query of ['', '&referenceName=chr1']) {
      expect(await statusOf(handler, fixturePathOf(name) + query)).toBe(isRequired ? 500 : 200);
    }
  });
});
