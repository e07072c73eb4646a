import { type SequenceCatalogue, sequenceCollection } from '@htskit/sequences';
import { collectSlowly } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { createCatalogue } from '../../src/catalogue/catalogue.js';
import { createCollectionCatalogue } from '../../src/collection/collection-catalogue.js';
import { createRefgetHandler } from '../../src/handler.js';
import type { RefgetOptions } from '../../src/options.js';
import { textSequence } from '../text-sequence.js';

const NAMED = [
  { name: 'one', bases: 'ACGT'.repeat(30) },
  { name: '染色体', bases: 'N'.repeat(61) },
  { name: 'empty', bases: '' },
  { name: 'last', bases: 'G' },
].map(({ name, bases }) => ({ name, bases, sequence: textSequence(bases) }));

/** The expected file: a definition line and lines of 60 bases for each sequence. */
const FASTA = NAMED.map(({ name, bases }) => `>${name}\n${bases.replace(/.{1,60}/g, '$&\n')}`).join('');
const INDEX = 'one\t120\t5\t60\t61\n染色体\t61\t138\t60\t61\nempty\t0\t208\t0\t0\nlast\t1\t214\t1\t2\n';

async function serve(
  named: readonly { readonly name: string; readonly sequence: ReturnType<typeof textSequence> }[],
  options: Partial<RefgetOptions> = {},
): Promise<(file: string, init?: RequestInit) => Promise<Response>> {
  const members = named.map(({ name, sequence: { metadata } }) => ({ name, metadata }));
  const collection = await sequenceCollection(members);
  const handle = createRefgetHandler({
    catalogue: createCatalogue(named.map(({ sequence }) => sequence)),
    collections: createCollectionCatalogue([collection]),
    ...options,
  });
  return (file, init) => handle(new Request(`http://localhost/collection/${collection.digest}/${file}`, init));
}

const fetchFile = await serve(NAMED);
const bytesOf = ({ body }: Response): Promise<Buffer> => collectSlowly(body ?? []);

describe.each([
  ['fasta', FASTA, 'text/x-fasta; charset=utf-8'],
  ['fasta.fai', INDEX, 'text/plain; charset=utf-8'],
])('%s', (file, text, contentType) => {
  const expected = Buffer.from(text);

  test('is the whole collection', async () => {
    const response = await fetchFile(file);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(contentType);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect((await bytesOf(response)).toString()).toBe(text);
  });

  test('has every range', async () => {
    for (let start = 0; start < expected.length; start += 3) {
      for (const end of [start + 1, start + 59, start + 61, start + 62, start + 130]) {
        const response = await fetchFile(file, { headers: { range: `bytes=${start}-${end - 1}` } });
        const part = expected.subarray(start, end);
        expect(response.status).toBe(206);
        const last = start + part.length - 1;
        expect(response.headers.get('content-range')).toBe(`bytes ${start}-${last}/${expected.length}`);
        expect(await bytesOf(response)).toEqual(part);
      }
    }
  });

  test('has no range after the end, and ignores other units', async () => {
    const after = await fetchFile(file, { headers: { range: `bytes=${expected.length}-` } });
    expect([after.status, after.headers.get('content-range')]).toEqual([416, `bytes */${expected.length}`]);
    const lines = await fetchFile(file, { headers: { range: 'lines=0-1' } });
    expect([lines.status, await lines.text()]).toEqual([200, text]);
  });

  test('is revalidated by its entity tag', async () => {
    const etag = (await fetchFile(file, { method: 'HEAD' })).headers.get('etag') ?? '';
    expect((await fetchFile(file, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetchFile(file, { headers: { 'if-match': '"other"' } })).status).toBe(412);
    const changed = await fetchFile(file, { headers: { range: 'bytes=0-0', 'if-range': '"other"' } });
    expect(changed.status).toBe(200);
  });
});

test('HEAD has the length and reads nothing', async () => {
  const sequence = textSequence('ACGT'.repeat(100_000));
  const fetchOne = await serve([{ name: 'one', sequence }]);
  const response = await fetchOne('fasta', { method: 'HEAD' });
  expect([response.status, response.headers.get('content-length')]).toEqual([200, String(5 + 400_000 + 6667)]);
  expect(sequence.reads).toEqual([]);
});

test('a range reads the bases of its lines only', async () => {
  const sequence = textSequence('ACGT'.repeat(100_000));
  const fetchOne = await serve([{ name: 'one', sequence }]);
  await fetchOne('fasta', { headers: { range: 'bytes=6200-6210' } });
  expect(sequence.reads).toEqual([{ start: 6060, end: 6120 }]);
});

test('a long file is streamed', async () => {
  const bases = 'ACGTN'.repeat(40_000);
  const fetchOne = await serve([{ name: 'one', sequence: textSequence(bases, { chunkLength: 1021 }) }]);
  const expected = `>one\n${bases.replace(/.{1,60}/g, '$&\n')}`;
  expect((await bytesOf(await fetchOne('fasta'))).toString()).toBe(expected);
  const part = await fetchOne('fasta', { headers: { range: 'bytes=100-150000' } });
  expect((await bytesOf(part)).toString()).toBe(expected.slice(100, 150_001));
});

test('records of equal bases are looked up once', async () => {
  const named = Array.from({ length: 100 }, (_, index) => ({ name: `contig${index}`, sequence: textSequence('ACGT') }));
  const catalogue = createCatalogue(named.map(({ sequence }) => sequence));
  const find = vi.fn<SequenceCatalogue['find']>((identifier) => catalogue.find(identifier));
  const fetchEqual = await serve(named, { catalogue: { find } });
  expect(await (await fetchEqual('fasta')).text()).toBe(named.map(({ name }) => `>${name}\nACGT\n`).join(''));
  expect(find).toHaveBeenCalledTimes(1);
});

test('a sequence that cannot be read is a 500', async () => {
  const failures: unknown[] = [];
  const sequence = textSequence('ACGT', { failsAfter: 0, failure: new Error('the disk failed') });
  const fetchOne = await serve([{ name: 'one', sequence }], { onError: (error) => failures.push(error) });
  expect((await fetchOne('fasta')).status).toBe(500);
  expect(failures).toEqual([new Error('the disk failed')]);
});

test('a name with white space is a 501', async () => {
  const fetchOne = await serve([{ name: 'one two', sequence: textSequence('ACGT') }], { onError: () => undefined });
  expect((await fetchOne('fasta')).status).toBe(501);
});

test('requires permission for the bases and for each sequence that is read', async () => {
  const asked: string[] = [];
  const [, second] = NAMED;
  const fetchSome = await serve(NAMED, {
    authorize({ resource, id }) {
      asked.push(`${resource}/${id}`);
      return id === second?.sequence.metadata.sha512t24u ? 'forbidden' : 'all';
    },
  });
  expect((await fetchSome('fasta', { headers: { range: 'bytes=0-99' } })).status).toBe(206);
  expect(asked).toEqual([expect.stringMatching(/^collection\/.+\/fasta$/), expect.stringMatching(/^sequence\/SQ\./)]);
  expect((await fetchSome('fasta', { headers: { range: 'bytes=0-200' } })).status).toBe(403);
  expect((await fetchSome('fasta')).status).toBe(403);
  expect((await fetchSome('fasta.fai')).status).toBe(200);
});

test('offsets do not depend on the wrong lengths of another handler', async () => {
  const damaged = textSequence('ACGT');
  const wrong = { ...damaged, metadata: { ...damaged.metadata, length: 400 } };
  const fetchDamaged = await serve([{ name: 'damaged', sequence: wrong }]);
  expect(await (await fetchDamaged('fasta.fai')).text()).toBe('damaged\t400\t9\t60\t61\n');
  const fetchIntact = await serve([{ name: 'damaged', sequence: damaged }]);
  expect(await (await fetchIntact('fasta.fai')).text()).toBe('damaged\t4\t9\t4\t5\n');
});

test('paths beside the files are 404', async () => {
  for (const path of ['fa', 'fasta.gzi', 'fasta/x']) expect((await fetchFile(path)).status).toBe(404);
});

test('lists the digests of an attribute', async () => {
  const handle = async (path: string): Promise<Response> => {
    const [one, other] = await Promise.all(
      ['a', 'b'].map((name) => sequenceCollection([{ name, metadata: textSequence('ACGT').metadata }])),
    );
    if (one === undefined || other === undefined) throw new Error('two collections are needed');
    const collections = createCollectionCatalogue([one, other]);
    return createRefgetHandler({ catalogue: createCatalogue([]), collections })(
      new Request(`http://localhost/list/attributes/${path}`),
    );
  };
  const names = (await (await handle('names')).json()) as { results: string[]; pagination: object };
  expect(names.results).toHaveLength(2);
  expect(names.pagination).toEqual({ page: 0, page_size: 100, total: 2 });
  const lengths = (await (await handle('lengths?page_size=1')).json()) as { results: string[] };
  expect(lengths.results).toHaveLength(1);
  expect((await handle('constructor')).status).toBe(404);
  expect((await handle('names?names=x')).status).toBe(400);
});
