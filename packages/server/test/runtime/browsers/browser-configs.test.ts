import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { HtsgetError, RefgetError } from '@htskit/protocol';
import { expectations, fixturePath } from '@htskit/testing';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../../src/runtime/serve.js';
import { runCommand } from '../../run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, 'a b'));
for (const name of ['genome.fa', 'variants.vcf.gz', 'variants.vcf.gz.tbi', 'reads.cram', 'reads.cram.crai']) {
  copyFileSync(fixturePath(name), join(folder, name));
}
for (const name of ['reads.bam', 'reads.bam.bai']) copyFileSync(fixturePath(name), join(folder, 'a b', name));
// Another genome, and an object of neither.
writeFileSync(join(folder, 'other.fa'), '>chr1\nACGT\n');
copyFileSync(fixturePath('longref.bam'), join(folder, 'longref.bam'));
copyFileSync(fixturePath('longref.bam.csi'), join(folder, 'longref.bam.csi'));
writeFileSync(join(folder, 'broken.bam'), 'nothing');
await runCommand(['index', '--coverage', join(folder, 'a b', 'reads.bam')]);

let server: RunningServer | undefined;
afterEach(async () => server?.close());

async function start(options: Partial<ServeOptions> = {}): Promise<string> {
  const given = { paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh' } as const;
  server = await serve({ ...given, log: () => undefined, ...options });
  await server.sequences.settled();
  return server.url;
}

interface Session {
  readonly reference: { readonly id: string; readonly fastaURL: string; readonly indexURL: string };
  readonly locus: string;
  readonly tracks: readonly { readonly type: string; readonly name: string; readonly url: string }[];
}

const session = async (url: string, init?: RequestInit): Promise<Session> =>
  (await (await fetch(`${url}/igv/session.json`, init)).json()) as Session;

interface Config {
  readonly plugins: readonly object[];
  readonly internetAccounts?: readonly object[];
  readonly assemblies: readonly { readonly name: string; readonly sequence: { readonly adapter: object } }[];
  readonly tracks: readonly {
    readonly trackId: string;
    readonly assemblyNames: readonly string[];
    readonly adapter: { readonly type: string };
  }[];
  readonly defaultSession: { readonly views: readonly { readonly init: object }[] };
}

const config = async (url: string): Promise<Config> =>
  (await (await fetch(`${url}/jbrowse/config.json`)).json()) as Config;

test('a session of igv.js has the objects of the genome that most objects have', async () => {
  const url = await start();
  const { reference, locus, tracks } = await session(url);
  const { id } = reference;
  expect(tracks.map(({ type, name, url: track }) => [type, name, track])).toEqual([
    ['wig', 'a b/reads depth', `${url}/coverage/a%20b/reads.bw`],
    ['alignment', 'a b/reads', `${url}/reads/a%20b/reads`],
    ['alignment', 'reads', `${url}/reads/reads`],
    ['variant', 'variants', `${url}/variants/variants`],
  ]);
  expect(locus).toBe('chr1:1-16384');
  expect(reference).toMatchObject({
    fastaURL: `${url}/collection/${id}/fasta`,
    indexURL: `${url}/collection/${id}/fasta.fai`,
  });
  expect((await fetch(reference.indexURL)).status).toBe(200);
  for (const track of tracks) expect((await fetch(track.url)).status, track.url).toBe(200);
});

test('the session for IGV on desktops has tickets by the scheme of htsget', async () => {
  const url = await start();
  const found = (await (await fetch(`${url}/igv/desktop.json`)).json()) as Session;
  const { reference, tracks } = await session(url);
  expect(found.reference).toEqual(reference);
  expect(found.tracks).toEqual(
    tracks.map((track) => (track.type === 'wig' ? track : { ...track, url: track.url.replace(/^http:/, 'htsget:') })),
  );
});

test('a session may be that of another genome', async () => {
  const url = await start();
  const { results } = (await (await fetch(`${url}/list/collection`)).json()) as { readonly results: string[] };
  const { id } = (await session(url)).reference;
  const other = results.find((digest) => digest !== id);
  const found = (await (await fetch(`${url}/igv/session.json?genome=${other}`)).json()) as Session;
  expect(found).toMatchObject({ reference: { id: other }, locus: 'chr1:1-4', tracks: [] });
  expect((await fetch(`${url}/igv/session.json?genome=none`)).status).toBe(404);
});

test('the configuration of JBrowse has all objects, by their genomes', async () => {
  const url = await start();
  const { id } = (await session(url)).reference;
  const { assemblies, tracks, defaultSession, plugins } = await config(url);
  expect(assemblies.map(({ name }) => name)).toEqual([id, expect.any(String), 'references of longref']);
  expect(tracks.map(({ trackId, assemblyNames, adapter }) => [trackId, adapter.type, ...assemblyNames])).toEqual([
    ['coverage/a b/reads', 'BigWigAdapter', id],
    ['reads/a b/reads', 'HtskitReadsAdapter', id],
    ['coverage/reads', 'HtskitCoverageAdapter', id],
    ['reads/reads', 'HtskitReadsAdapter', id],
    ['variants/variants', 'HtskitVariantsAdapter', id],
    ['coverage/longref', 'HtskitCoverageAdapter', 'references of longref'],
    ['reads/longref', 'HtskitReadsAdapter', 'references of longref'],
  ]);
  expect(tracks[1]?.adapter).toEqual({
    type: 'HtskitReadsAdapter',
    htsgetLocation: { uri: `${url}/reads/a%20b/reads`, locationType: 'UriLocation' },
    coverageLocation: { uri: `${url}/coverage/a%20b/reads`, locationType: 'UriLocation' },
    sequenceAdapter: assemblies[0]?.sequence.adapter,
  });
  expect(defaultSession.views[0]?.init).toEqual({
    assembly: id,
    loc: 'chr1:1..16384',
    tracks: tracks.slice(0, 4).map(({ trackId }) => trackId),
  });
  expect(plugins).toEqual([{ name: 'Htskit', url: `${url}/jbrowse/htskit.umd.js` }]);
});

test('an assembly without sequences has the references of the header', async () => {
  const { assemblies } = await config(await start());
  const { references } = expectations('longref.bam');
  expect(assemblies[2]?.sequence.adapter).toEqual({
    type: 'FromConfigRegionsAdapter',
    features: references.map(({ name, length }) => ({ uniqueId: name, refName: name, start: 0, end: length })),
  });
});

test('the configuration of JBrowse has no depth if coverage is off', async () => {
  const { tracks } = await config(await start({ coverage: 'off' }));
  expect(tracks.map(({ trackId }) => trackId)).not.toContain('coverage/reads');
  expect(Object.keys(tracks[0]?.adapter ?? {})).not.toContain('coverageLocation');
});

test('the configuration of a token has an internet account for the server alone', async () => {
  const url = await start();
  expect((await config(url)).internetAccounts).toBeUndefined();
  const response = await fetch(`${url}/jbrowse/config.json`, { headers: { authorization: 'Bearer secret' } });
  const { internetAccounts } = (await response.json()) as Config;
  expect(internetAccounts).toMatchObject([{ type: 'ExternalTokenInternetAccount', domains: [`${url}/`] }]);
});

const isKnown = ({ headers }: Request): boolean => headers.get('authorization') === 'Bearer secret';

test('shows only what the token may see, and the depth only of whole objects', async () => {
  const url = await start({
    htsget: {
      authorize: ({ request, id }) => {
        if (!isKnown(request)) throw new HtsgetError('InvalidAuthentication', 'a token is required');
        if (id === 'reads') return 'forbidden';
        return { regions: [{ referenceName: 'chr2', start: 100, end: 200 }] };
      },
    },
    refget: {
      authorize: ({ request }) => {
        if (!isKnown(request)) throw new RefgetError('Unauthorized', 'a token is required');
        return 'all';
      },
    },
  });
  expect((await fetch(`${url}/igv/session.json`)).status).toBe(404);
  expect(await config(url)).toMatchObject({ assemblies: [], tracks: [] });
  const { tracks, locus } = await session(url, { headers: { authorization: 'Bearer secret' } });
  expect(tracks.map(({ name }) => name)).toEqual(['a b/reads', 'variants']);
  expect(locus).toBe('chr2:101-200');
});

test('shows no depth of objects whose samples are restricted, and no place with their reads', async () => {
  const url = await start({ htsget: { authorize: () => ({ regions: 'all', samples: ['synthetic'] }) } });
  const { tracks, locus } = await session(url);
  expect(locus).toBe('chr1:1-150000');
  expect(tracks.map(({ name }) => name)).toEqual(['a b/reads', 'reads', 'variants']);
  expect((await fetch(`${url}/coverage/a%20b/reads.bw`)).status).toBe(403);
});

test('an object whose header has quoted contigs is of their genome', async () => {
  const only = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(only, { recursive: true }));
  writeFileSync(join(only, 'genome.fa'), '>chr1\nACGT\n');
  const columns = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\nchr1\t1\t.\tA\tC\t.\t.\t.\n';
  const write = (name: string, length: number): void => {
    const text = `##fileformat=VCFv4.3\n##contig=<ID="chr1",length="${length}">\n${columns}`;
    writeFileSync(join(only, name), Buffer.concat([deflateBlocks(Buffer.from(text)), EOF_MARKER]));
  };
  write('same.vcf.gz', 4);
  write('longer.vcf.gz', 5);
  const { tracks } = await session(await start({ paths: [only] }));
  expect(tracks.map(({ name }) => name)).toEqual(['same']);
});

test('scripts of other origins may read it with a token', async () => {
  const url = await start();
  const preflight = await fetch(`${url}/igv/session.json`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://a.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'authorization']);
  const { headers } = await fetch(`${url}/igv/session.json`, { headers: { origin: 'https://a.example' } });
  expect(headers.get('access-control-allow-origin')).toBe('https://a.example');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('answers 503 if it cannot be decided what a request may see', async () => {
  const failure = new HtsgetError('InternalServerError', 'unavailable', { status: 503, retryAfterSeconds: 5 });
  const url = await start({ htsget: { authorize: () => Promise.reject(failure) } });
  expect((await fetch(`${url}/jbrowse/config.json`)).status).toBe(503);
});
