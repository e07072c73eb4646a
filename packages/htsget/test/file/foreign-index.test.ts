import { gzipSync } from 'node:zlib';
import { type CraiSlice, formatCrai, parseCrai } from '@htskit/indexes';
import { type ByteSource, StorageError } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { HtsgetOptions, StoredFile } from '../../src/index.js';
import { fixtureFile, fixtureHandler, fixturePathOf } from '../fixture-files.js';
import { fetchBlocks, fetchFile, fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';

/** A handler of a fixture with another index. */
function indexedHandler(name: string, index: Uint8Array, options: Partial<HtsgetOptions> = {}): Handler {
  const file = { ...fixtureFile(name), index: memorySource(index, { key: 'other index', version: '1' }) };
  return fixtureHandler(options, { [name]: [file] });
}

async function statusOf(handler: Handler, path: string): Promise<number> {
  return (await handler(new Request(PUBLIC_URL + path))).status;
}

const region = '&referenceName=chr1&start=1000&end=3000';

/** A BAI whose number of references is another one (SAMv1 §5.2); references without bins are added. */
function withReferences(bai: Uint8Array, added: number): Uint8Array {
  const bytes = Buffer.from(bai);
  const count = bytes.readInt32LE(4);
  const tailStart = bytes.length - 8;
  bytes.writeInt32LE(count + added, 4);
  return Buffer.concat([bytes.subarray(0, tailStart), Buffer.alloc(8 * added), bytes.subarray(tailStart)]);
}

const text = (lines: string): Uint8Array => new TextEncoder().encode(lines);
/** The lines of a CRAI, changed by what `change` returns for each. */
function changedCrai(name: string, change: (line: CraiSlice, at: number) => Partial<CraiSlice>): Uint8Array {
  const lines = Array.from(parseCrai(readFixture(name)).slices(), (line, at) => ({ ...line, ...change(line, at) }));
  return text(formatCrai(lines));
}

describe('an index that contradicts its file is an error for regions', () => {
  test.each<readonly [string, string, Uint8Array]>([
    ['a CRAI of 0 bytes', 'reads.cram', new Uint8Array(0)],
    ['a CRAI of newlines', 'reads.cram', text('\n\n')],
    ['a compressed CRAI without lines', 'reads.cram', gzipSync('')],
    ['the CRAI of an empty file', 'reads.cram', readFixture('empty.cram.crai')],
    ['the CRAI of another file', 'reads.cram', readFixture('v31.cram.crai')],
    ['the CRAI of a file of another version', 'v21.cram', readFixture('reads.cram.crai')],
    ['a CRAI of a shorter file', 'reads.cram', readFixture('multiref.cram.crai')],
    [
      'a CRAI with a reference that the header lacks',
      'reads.cram',
      changedCrai('reads.cram.crai', (_, at) => (at === 3 ? { referenceId: 5 } : {})),
    ],
    [
      'a CRAI that lacks the last container',
      'reads.cram',
      text(formatCrai([...parseCrai(readFixture('reads.cram.crai')).slices()].slice(0, 2))),
    ],
    [
      'a CRAI whose containers begin elsewhere',
      'reads.cram',
      changedCrai('reads.cram.crai', ({ containerStart }) => ({ containerStart: containerStart + 1 })),
    ],
    [
      'a CRAI whose first container begins elsewhere',
      'reads.cram',
      changedCrai('reads.cram.crai', ({ containerStart }, at) =>
        at === 0 ? { containerStart: containerStart + 1 } : {},
      ),
    ],
    [
      'a CRAI whose slices begin elsewhere',
      'reads.cram',
      changedCrai('reads.cram.crai', ({ sliceOffset }) => ({ sliceOffset: sliceOffset + 1 })),
    ],
    [
      'a CRAI whose slices are longer',
      'reads.cram',
      changedCrai('reads.cram.crai', ({ sliceSize }) => ({ sliceSize: sliceSize + 1 })),
    ],
    [
      'a CRAI whose references are interchanged',
      'reads.cram',
      changedCrai('reads.cram.crai', ({ referenceId }) =>
        referenceId < 2 && referenceId >= 0 ? { referenceId: 1 - referenceId } : {},
      ),
    ],
    [
      'a CRAI whose slices cover other bases',
      'reads.cram',
      changedCrai('reads.cram.crai', ({ alignmentSpan }) => ({ alignmentSpan: alignmentSpan + 40_000 })),
    ],
    ['the BAI of another file', 'reads.bam', readFixture('straddle.bam.bai')],
    ['the BAI of a shorter file', 'reads.bam', readFixture('long-cigar.bam.bai')],
    ['the BAI of a longer file', 'long-cigar.bam', readFixture('reads.bam.bai')],
    ['the BAI of an empty file', 'reads.bam', readFixture('empty.bam.bai')],
    ['the BAI of a file without references', 'reads.bam', readFixture('no-references.bam.bai')],
    ['a BAI with more references', 'reads.bam', withReferences(readFixture('reads.bam.bai'), 1)],
    ['the CSI of another file', 'reads.bam', readFixture('reads-csi.bam.csi')],
    ['the CSI of a BCF file', 'reads.bam', readFixture('variants.bcf.csi')],
    ['a TBI', 'reads.bam', readFixture('variants.vcf.gz.tbi')],
    ['the TBI of another file', 'variants-csi.vcf.gz', readFixture('empty.vcf.gz.tbi')],
    ['the CSI of a BCF file', 'variants.vcf.gz', readFixture('variants.bcf.csi')],
    ['the CSI of an empty file', 'variants.bcf', readFixture('empty.bcf.csi')],
    ['the CSI of a VCF file', 'variants.bcf', readFixture('variants-csi.vcf.gz.csi')],
  ])('%s for %s', async (_, name, index) => {
    const errors: unknown[] = [];
    const handler = indexedHandler(name, index, { onError: (error, object) => errors.push([error, object]) });
    const path = fixturePathOf(name);
    expect(await statusOf(handler, path + region)).toBe(500);
    expect(await statusOf(handler, path + region)).toBe(500);
    expect(errors).toMatchObject([[{ code: 'INVALID_DATA' }, { id: name }]]);
    expect(await statusOf(handler, `${path}&class=header`)).toBe(200);
  });
});

test('an index of another file does not keep its file from being sent whole', async () => {
  const handler = indexedHandler('reads.cram', new Uint8Array(0));
  const found = await fetchFile(handler, fixturePathOf('reads.cram'));
  expect(Buffer.compare(found, readFixture('reads.cram'))).toBe(0);
});

test('an empty CRAM file may have an empty CRAI', async () => {
  for (const index of [new Uint8Array(0), text('\n')]) {
    const handler = indexedHandler('empty.cram', index);
    const expected = await fetchFile(fixtureHandler(), fixturePathOf('empty.cram') + region);
    expect(Buffer.compare(await fetchFile(handler, fixturePathOf('empty.cram') + region), expected)).toBe(0);
  }
});

test.each(['reads.bam', 'reads.cram'])('%s: blocks at whose start nothing begins are 409', async (name) => {
  const bytes = readFixture(name);
  let isShifted = false;
  // A source without versions, which cannot distinguish the states of the file.
  const current = (): ByteSource =>
    memorySource(isShifted ? bytes.map((_, at) => bytes[at + 3] ?? 0) : bytes, { key: name });
  const data: ByteSource = {
    key: name,
    stat: (options) => current().stat(options),
    read: (range, options) => current().read(range, options),
    stream: (range, options) => current().stream(range, options),
  };
  const handler = fixtureHandler({}, { [name]: [{ ...fixtureFile(name), data }] });
  for (const query of ['', region]) {
    const ticket = await fetchTicket(handler, fixturePathOf(name) + query);
    await fetchBlocks(handler, ticket);
    const urls = ticket.htsget.urls.map(({ url }) => url).filter((url) => !url.startsWith('data:'));
    isShifted = true;
    const responses = await Promise.all(urls.map((url) => handler(new Request(url))));
    expect(responses.map(({ status }) => status)).toEqual(urls.map(() => 409));
    isShifted = false;
  }
});

describe.each([
  ['reads.bam', 'reads-csi.bam'],
  ['reads.cram', 'v31.cram'],
  ['reads.cram', 'multiref.cram'],
  ['variants.vcf.gz', 'variants-csi.vcf.gz'],
])('%s replaced by %s together with its index', (before, after) => {
  const path = `/${fixturePathOf(before).split('/')[1]}/a?format=${fixtureFile(before).format}`;

  /** A file of two sources. Each is replaced before one of the calls, which are counted from 0. */
  function replacedFile(dataAt: number, indexAt: number): { readonly file: StoredFile; readonly calls: () => number } {
    let calls = 0;
    const replaced = (part: 'data' | 'index', at: number): ByteSource => {
      const sources = [before, after].map((name) => {
        const source = fixtureFile(name)[part];
        if (source === undefined) throw new Error(`${name} has no index`);
        return { name, source };
      });
      const current = (): ByteSource => {
        const { name, source } = sources[calls++ < at ? 0 : 1] ?? { name: '', source: undefined };
        if (source === undefined) throw new Error('no source');
        const version = name;
        const check = (expected: string | undefined): void => {
          if (expected !== undefined && expected !== version)
            throw new StorageError('CHANGED', 'changed', { key: part });
        };
        return {
          key: part,
          stat: async () => ({ size: (await source.stat()).size, version }),
          read: async (range, { version: expected } = {}) => {
            check(expected);
            return source.read(range);
          },
          stream: (range, { version: expected } = {}) => {
            check(expected);
            return source.stream(range);
          },
        };
      };
      return {
        key: part,
        stat: async (options) => current().stat(options),
        read: async (range, options) => current().read(range, options),
        stream: (range, options) => current().stream(range, options),
      };
    };
    const { format } = fixtureFile(before);
    return { file: { format, data: replaced('data', dataAt), index: replaced('index', indexAt) }, calls: () => calls };
  }

  /** Answers of a service whose file is replaced: the bytes, or undefined if the request failed. */
  async function answers(
    dataAt: number,
    indexAt: number,
    queries: readonly string[],
  ): Promise<(Uint8Array | undefined)[]> {
    const { file } = replacedFile(dataAt, indexAt);
    const handler = fixtureHandler({}, { a: [file] });
    const found: (Uint8Array | undefined)[] = [];
    for (const query of queries) found.push(await fetchFile(handler, path + query).catch(() => undefined));
    return found;
  }

  test('gives the answer of one of both or none, whenever each is replaced', async () => {
    const queries = [region, '&referenceName=chr2', region];
    const { file, calls } = replacedFile(1000, 1000);
    const handler = fixtureHandler({}, { a: [file] });
    for (const query of queries) await fetchFile(handler, path + query);
    const total = calls();
    const expected = await Promise.all(
      [before, after].map((name) =>
        Promise.all(queries.map((query) => fetchFile(fixtureHandler(), fixturePathOf(name) + query))),
      ),
    );
    const outcomes = { before: 0, after: 0, refused: 0, mixed: 0 };
    for (let dataAt = 0; dataAt <= total; dataAt += 4 - volume(3)) {
      for (const indexAt of new Set([0, dataAt - 3, dataAt - 1, dataAt, dataAt + 1, dataAt + 3, total])) {
        for (const [at, bytes] of (await answers(dataAt, indexAt, queries)).entries()) {
          const [old, renewed] = expected.map((each) => each[at] ?? new Uint8Array(0));
          if (bytes === undefined) outcomes.refused++;
          else if (old !== undefined && Buffer.compare(bytes, old) === 0) outcomes.before++;
          else if (renewed !== undefined && Buffer.compare(bytes, renewed) === 0) outcomes.after++;
          else outcomes.mixed++;
        }
      }
    }
    expect(outcomes.mixed).toBe(0);
    expect(Math.min(outcomes.before, outcomes.after, outcomes.refused)).toBeGreaterThan(0);
  });

  test('is answered at once if the index is replaced while the ticket is made', async () => {
    // The calls of a first ticket: data.stat, then the header and the index, then the check of both.
    const [found] = await answers(0, 2, [region]);
    const expected = await fetchFile(fixtureHandler(), fixturePathOf(after) + region);
    expect(found && Buffer.compare(found, expected)).toBe(0);
  });
});
