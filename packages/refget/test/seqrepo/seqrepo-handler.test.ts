import { RefgetError } from '@htskit/protocol';
import { expect, test } from 'vitest';
import { createCatalogue } from '../../src/catalogue/catalogue.js';
import { createSeqRepoHandler, type SeqRepoOptions } from '../../src/seqrepo/index.js';
import { textSequence } from '../text-sequence.js';

const CHR1 = textSequence('ACGTACGTRYK', {
  aliases: [
    { alias: 'NC_000001.11', namingAuthority: 'RefSeq' },
    { alias: 'chr1', namingAuthority: 'GRCh38' },
    { alias: 'ENST00000530893.6', namingAuthority: 'ensembl' },
    { alias: 'HLA-A*01:01/2', namingAuthority: 'insdc' },
  ],
});
const OTHER = textSequence('TTTT', {
  aliases: [
    { alias: 'NC_000001.11', namingAuthority: 'local' },
    { alias: 'chr1', namingAuthority: 'local' },
    { alias: 'alone', namingAuthority: 'local' },
    { alias: '2', namingAuthority: 'GRCh38' },
  ],
});
const { md5, sha512t24u } = CHR1.metadata;
const DIGEST = sha512t24u.slice(3);

type Call = (path: string, init?: RequestInit) => Promise<Response>;

function service(options: Partial<SeqRepoOptions> = {}): Call {
  const handle = createSeqRepoHandler({ catalogue: createCatalogue([CHR1, OTHER]), ...options });
  return (path, init) => handle(new Request(`http://localhost/seqrepo/1/${path}`, init));
}

/** Returns the status and the text of an answer. */
async function get(path: string, init?: RequestInit): Promise<[number, string]> {
  const response = await service()(path, init);
  return [response.status, await response.text()];
}

test.each([
  ['refseq:NC_000001.11'],
  ['RefSeq:NC_000001.11'],
  ['NCBI:NC_000001.11'],
  // The accession of RefSeq, and not the other name.
  ['NC_000001.11'],
  ['ENST00000530893.6'],
  ['GRCh38:chr1'],
  ['GRCh38:1'],
  ['grch38:chr1'],
  [`MD5:${md5}`],
  [md5],
  [`ga4gh:${sha512t24u}`],
  [`ga4gh:GS.${DIGEST}`],
  [`VMC:GS_${DIGEST}`],
  [`sha512t24u:${DIGEST}`],
  [sha512t24u],
  ['insdc:HLA-A*01:01/2'],
  ['insdc%3AHLA-A*01%3A01%2F2'],
  ['refseq:NC_000001.11/'],
])('finds the sequence %s', async (alias) => {
  expect(await get(`sequence/${alias}`)).toEqual([200, 'ACGTACGTRYK']);
});

test.each([
  ['alone', 'TTTT'],
  ['GRCh38:chr2', 'TTTT'],
])('finds %s in any namespace', async (alias, bases) => {
  expect(await get(`sequence/${alias}`)).toEqual([200, bases]);
});

test.each(['refseq:nothing', 'nothing', 'nothing:chr1', 'MD5:x', 'ga4gh:SQ.x', 'VMC:x', ':x', 'x:', 'local:1'])(
  'answers 404 without a body for %s',
  async (alias) => {
    expect(await get(`sequence/${alias}`)).toEqual([404, '']);
    expect(await get(`metadata/${alias}`)).toEqual([404, '']);
  },
);

test.each([
  ['?start=2&end=6', 'GTAC'],
  ['?end=3', 'ACG'],
  ['?start=8', 'RYK'],
  ['?start=8&end=300', 'RYK'],
  ['?start=300', ''],
  ['?start=99999999999999999999', ''],
  ['?start=6&end=6', ''],
  ['?end=0', ''],
  ['?start=9&end=3&start=1', 'CG'],
])('answers %s with the bases that the sequence has', async (query, bases) => {
  const response = await service()(`sequence/GRCh38:chr1${query}`);
  expect([response.status, await response.text()]).toEqual([200, bases]);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('content-length')).toBe(String(bases.length));
});

test.each([
  ['sequence/GRCh38:chr1?start=6&end=2', 422, 'Invalid coordinates: start > end'],
  ['sequence/nothing?start=6&end=2', 422, 'Invalid coordinates: start > end'],
  ['sequence/chr1', 422, "Multiple sequences exist for alias 'chr1'"],
  ['metadata/chr1', 422, "Multiple sequences exist for alias 'chr1'"],
  ['sequence/GRCh38:chr1?start=-1', 400, "expected a whole number for query parameter 'start'"],
  ['sequence/GRCh38:chr1?end=', 400, "expected a whole number for query parameter 'end'"],
  ['sequence/GRCh38:chr1?foo=1', 400, 'Extra query parameter(s) foo not in spec'],
  ['metadata/GRCh38:chr1?start=1', 400, 'Extra query parameter(s) start not in spec'],
  ['nothing', 404, 'no resource at this path'],
  ['sequence/%zz', 404, 'no resource at this path'],
])('answers %s with the problem %i', async (path, status, detail) => {
  const response = await service()(path);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({ status, detail, type: 'about:blank' });
  expect(response.status).toBe(status);
});

test('has the aliases of SeqRepo, in its order', async () => {
  const response = await service()('metadata/GRCh38:1');
  expect(await response.json()).toEqual({
    added: null,
    aliases: [
      'Ensembl:ENST00000530893.6',
      'ensembl:ENST00000530893.6',
      'GRCh38:chr1',
      `MD5:${md5}`,
      'NCBI:NC_000001.11',
      'refseq:NC_000001.11',
      `VMC:GS_${DIGEST}`,
      `sha512t24u:${DIGEST}`,
      `ga4gh:${sha512t24u}`,
      'insdc:HLA-A*01:01/2',
    ],
    alphabet: null,
    length: 11,
  });
});

test('answers a ping with its version', async () => {
  const response = await service({ version: '1.2.3' })('ping');
  expect(await response.json()).toMatchObject({ version: '1.2.3', dependencies: {} });
});

test.each(['sequence/GRCh38:chr1', 'metadata/GRCh38:chr1'])('revalidates %s, and answers HEAD', async (path) => {
  const call = service();
  const first = await call(path);
  const etag = first.headers.get('etag') ?? '';
  expect((await call(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const head = await call(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    first.headers.get('content-length'),
    '',
  ]);
});

test('refuses other methods', async () => {
  const response = await service()('ping', { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await service()('ping', { method: 'OPTIONS' })).status).toBe(204);
});

test('decides on the alias that the client sent, before anything is looked up', async () => {
  const asked: string[] = [];
  const call = service({
    authorize: ({ resource, id }) => {
      asked.push(`${resource}/${id}`);
      return id === 'GRCh38:chr1' ? 'all' : id === 'refseq:nothing' ? 'unauthenticated' : 'forbidden';
    },
  });
  const permitted = await call('sequence/GRCh38%3Achr1');
  expect([permitted.status, permitted.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  expect((await call('metadata/refseq:nothing')).status).toBe(401);
  expect((await call(`sequence/${md5}`)).status).toBe(403);
  expect((await call('ping')).status).toBe(200);
  expect(asked).toEqual(['sequence/GRCh38:chr1', 'sequence/refseq:nothing', `sequence/${md5}`]);
});

test('limits the bases of a part, and not a whole sequence', async () => {
  const call = service({ limits: { subsequence: 3 } });
  expect((await call('sequence/GRCh38:chr1?start=2&end=5')).status).toBe(200);
  expect((await call('sequence/GRCh38:chr1?start=2&end=6')).status).toBe(422);
  expect((await call('sequence/GRCh38:chr1')).status).toBe(200);
});

test('reports a failed lookup, and finds a sequence although another lookup fails', async () => {
  const failures: unknown[] = [];
  const call = service({
    catalogue: {
      find: (identifier) => {
        if (identifier.kind === 'curie' && identifier.namespace === 'refseq') return [CHR1];
        throw new RefgetError('Service Unavailable', 'still digesting', { retryAfterSeconds: 5 });
      },
    },
    onError: (error) => failures.push(error),
  });
  expect((await call('sequence/refseq:NC_000001.11?end=1')).status).toBe(200);
  const busy = await call('sequence/local:x');
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '5']);
  expect(failures).toHaveLength(1);
});

test('is mounted where the prefix says', async () => {
  const handle = createSeqRepoHandler({ catalogue: createCatalogue([CHR1]), prefix: '/a/seqrepo' });
  const status = async (path: string): Promise<number> => (await handle(new Request(`http://localhost${path}`))).status;
  expect(await status('/a/seqrepo/1/ping')).toBe(200);
  expect(await status('/seqrepo/1/ping')).toBe(404);
});
