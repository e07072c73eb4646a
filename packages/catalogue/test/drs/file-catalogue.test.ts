import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decryptingSource, encryptStream, generateKeyPair } from '@htskit/crypt4gh';
import { createDrsHandler, type DrsObject, type Permission } from '@htskit/drs';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterAll, expect, test } from 'vitest';
import { folderObjects, sequenceCatalogue } from '../../src/folder.node.js';
import { type FileCatalogueOptions, fileCatalogue, type ObjectCatalogue } from '../../src/index.js';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const PUBLIC_URL = 'https://data.example.org';
const log = (): void => undefined;

/** Copies fixtures to a folder. */
function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch, name);
  for (const [path, fixture] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    copyFileSync(fixturePath(fixture), join(folder, path));
  }
  return folder;
}

type Answer = (path: string, init?: RequestInit) => Promise<Response>;

function serve(options: Partial<FileCatalogueOptions> & Pick<FileCatalogueOptions, 'objects'>): Answer {
  const files = fileCatalogue({ publicUrl: PUBLIC_URL, ...options });
  const handler = createDrsHandler({ publicUrl: PUBLIC_URL, ...files, onError: () => undefined });
  return (path, init) => handler(new Request(`http://localhost${path}`, init));
}

async function describeObject(answer: Answer, id: string, init?: RequestInit): Promise<DrsObject> {
  const response = await answer(`/ga4gh/drs/v1/objects/${encodeURIComponent(id)}`, init);
  expect(response.status, id).toBe(200);
  return (await response.json()) as DrsObject;
}

async function bytesOf(answer: Answer, path: string): Promise<Uint8Array> {
  const response = await answer(`/files/${path}`);
  expect(response.status, path).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

const FILES = {
  'x/a.bam': 'reads.bam',
  'x/a.bai': 'reads.bam.bai',
  'x/a.cram': 'reads.cram',
  'x/a.cram.crai': 'reads.cram.crai',
  'v.vcf.bgz': 'variants.vcf.gz',
  'v.vcf.bgz.tbi': 'variants.vcf.gz.tbi',
};

test('sends the files of objects and their indexes, whatever their names beside them', async () => {
  const folder = folderOf('objects', FILES);
  const answer = serve({ objects: await folderObjects(folder, { log }) });
  for (const [path, fixture] of Object.entries({
    ...FILES,
    'x/a.bam.bai': 'reads.bam.bai',
    'v.vcf.gz': 'variants.vcf.gz',
  })) {
    expect(await bytesOf(answer, path), path).toEqual(new Uint8Array(readFileSync(fixturePath(fixture))));
  }
  for (const path of ['x/a.bam.csi', 'x/a.crai.crai', 'x/b.bam', 'a.bam', 'x', 'v.vcf', 'x%2F..%2Fv.vcf.bgz']) {
    expect((await answer(`/files/${path}`)).status, path).toBe(404);
  }
});

test('describes a file under its stored name, with htsget for its format', async () => {
  const answer = serve({ objects: await folderObjects(folderOf('objects', FILES), { log }) });
  expect(await describeObject(answer, 'v.vcf.gz')).toMatchObject({
    id: 'v.vcf.bgz',
    mime_type: 'application/gzip',
    access_methods: [{}, { type: 'htsget', access_url: { url: `${PUBLIC_URL}/variants/v?format=VCF` } }],
  });
  expect(await describeObject(answer, 'x/a.bai')).toMatchObject({
    id: 'x/a.bam.bai',
    access_methods: [{ type: 'https' }],
  });
  expect((await describeObject(answer, 'reads/x/a')).contents?.map(({ id }) => id)).toEqual([
    'x/a.bam',
    'x/a.bam.bai',
    'x/a.cram',
    'x/a.cram.crai',
  ]);
});

test('sends nothing else of the folder, nor what links lead to', async () => {
  const folder = folderOf('links', {
    'in/a.bam': 'reads.bam',
    'out/b.bam': 'reads.bam',
    'out/b.bam.bai': 'reads.bam.bai',
    'out/g.fa': 'genome.fa',
  });
  writeFileSync(join(folder, 'in/secret.txt'), 'secret');
  symlinkSync('../out/b.bam', join(folder, 'in/b.bam'));
  symlinkSync('../out/b.bam.bai', join(folder, 'in/a.bam.bai'));
  symlinkSync('../out/g.fa', join(folder, 'in/g.fa'));
  const sequences = await sequenceCatalogue(join(folder, 'in'), { log });
  await sequences.settled();
  const answer = serve({ objects: await folderObjects(join(folder, 'in'), { log }), sequences });
  expect((await answer('/files/a.bam')).status).toBe(200);
  for (const path of ['b.bam', 'a.bam.bai', 'secret.txt', 'g.fa', '..%2Fout%2Fb.bam']) {
    expect((await answer(`/files/${path}`)).status, path).toBe(404);
  }
  await sequences.close();
});

test('sends stored sequences, and describes collections as FASTA files', async () => {
  const folder = folderOf('sequences', {
    'g/genome.fa.gz': 'genome.fa.gz',
    'g/genome.fa.gz.fai': 'genome.fa.gz.fai',
    'g/genome.fa.gz.gzi': 'genome.fa.gz.gzi',
  });
  const sequences = await sequenceCatalogue(folder, { log });
  await sequences.settled();
  const answer = serve({ objects: await folderObjects(folder, { log }), sequences });
  for (const name of ['genome.fa.gz', 'genome.fa.gz.fai', 'genome.fa.gz.gzi']) {
    expect(await bytesOf(answer, `g/${name}`)).toEqual(new Uint8Array(readFileSync(fixturePath(name))));
  }
  const stored = await describeObject(answer, 'g/genome.fa.gz');
  const digest = stored.aliases?.[0]?.replace('refget:', '') ?? '';
  const collection = await describeObject(answer, digest);
  expect(collection).toMatchObject({
    id: digest,
    name: `${digest}.fa`,
    access_methods: [{ type: 'https', access_url: { url: `${PUBLIC_URL}/collection/${digest}/fasta` } }],
  });
  expect((await describeObject(answer, `${digest}.fa.fai`)).size).toBeGreaterThan(0);
  expect((await describeObject(answer, `collection/${digest}`)).contents).toHaveLength(2);
  expect((await describeObject(answer, 'g/genome.fa.gz.bundle')).contents?.map(({ name }) => name)).toEqual([
    'genome.fa.gz',
    'genome.fa.gz.fai',
    'genome.fa.gz.gzi',
  ]);
  const index = (await (await answer(`/fasta/objects/${digest}/index`)).json()) as { offsets: number[] };
  expect(index.offsets).toHaveLength(5);
  expect((await answer(`/files/${digest}`)).status).toBe(307);
  expect((await answer(`/files/${'A'.repeat(32)}`)).status).toBe(404);
  await sequences.close();
});

test('asks the hook of the protocol that answers an object', async () => {
  const folder = folderOf('guarded', { ...FILES, 'genome.fa': 'crlf.fa' });
  const sequences = await sequenceCatalogue(folder, { log });
  await sequences.settled();
  const asked: string[] = [];
  const decide = (object: string): Permission => {
    asked.push(object);
    if (object.startsWith('sequence/')) return 'all';
    return object === 'reads/x/a' || object.startsWith('collection/') ? 'all' : 'forbidden';
  };
  const answer = serve({
    objects: await folderObjects(folder, { log }),
    sequences,
    authorizeHtsget: ({ datatype, id }) => decide(`${datatype}/${id}`),
    authorizeRefget: ({ resource, id }) => (decide(`${resource}/${id}`) === 'all' ? 'all' : 'forbidden'),
  });
  const statusOf = async (path: string): Promise<number> => (await answer(`/files/${path}`)).status;
  expect(await statusOf('x/a.bam.bai')).toBe(200);
  expect(await statusOf('v.vcf.bgz')).toBe(403);
  expect(await statusOf('x/unknown.txt')).toBe(403);
  expect(new Set(asked)).toEqual(new Set(['reads/x/a', 'variants/v', 'reads/x/unknown.txt']));
  asked.length = 0;
  expect(await statusOf('genome.fa')).toBe(200);
  expect(asked.filter((object) => object.startsWith('sequence/SQ.')).length).toBeGreaterThan(1);
  await sequences.close();
});

test('refuses a FASTA file if one of its sequences is not permitted', async () => {
  const folder = folderOf('parts', { 'genome.fa': 'crlf.fa' });
  const sequences = await sequenceCatalogue(folder, { log });
  await sequences.settled();
  let count = 0;
  const answer = serve({
    objects: await folderObjects(folder, { log }),
    sequences,
    authorizeRefget: ({ resource }) => (resource === 'sequence' && ++count === 2 ? 'forbidden' : 'all'),
  });
  expect((await answer('/files/genome.fa')).status).toBe(403);
  await sequences.close();
});

test('passes passports on in place of a token', async () => {
  const inputs: unknown[] = [];
  const objects: Pick<ObjectCatalogue, 'resolve'> = { resolve: async () => undefined };
  const answer = serve({
    objects,
    authorizeHtsget: (input) => {
      inputs.push((input as { passports?: unknown }).passports);
      return 'all';
    },
  });
  const path = '/ga4gh/drs/v1/objects/a.bam';
  await answer(path, { method: 'POST', body: JSON.stringify({ passports: ['visa'] }) });
  await answer(path);
  expect(inputs).toEqual([['visa'], undefined]);
});

test('an encrypted file is described as its plaintext, and sent only if plain delivery is on', async () => {
  const folder = folderOf('encrypted', { 'a.bam.bai': 'reads.bam.bai' });
  const { publicKey, secretKey } = generateKeyPair();
  const plain = readFileSync(fixturePath('reads.bam'));
  const stored: Uint8Array[] = [];
  for await (const chunk of encryptStream(new Blob([plain]).stream(), { recipients: [publicKey] })) stored.push(chunk);
  writeFileSync(join(folder, 'a.bam.c4gh'), Buffer.concat(stored));
  const objects = await folderObjects(folder, {
    log,
    decrypt: (source) => decryptingSource(source, { keys: [secretKey] }),
  });
  const refused = serve({ objects });
  const found = await describeObject(refused, 'a.bam');
  expect(found).toMatchObject({ size: plain.length, access_methods: [{ type: 'htsget' }] });
  expect(found.description).toContain('encryptionScheme=crypt4gh');
  for (const path of ['a.bam', 'a.bam.bai']) expect((await refused(`/files/${path}`)).status, path).toBe(403);
  expect((await refused('/files/a.bam.c4gh')).status).toBe(404);
  const delivered = serve({ objects, plainDelivery: true });
  expect(await bytesOf(delivered, 'a.bam')).toEqual(new Uint8Array(plain));
});

test('a limit to some formats permits the files of these formats', async () => {
  const objects = await folderObjects(folderOf('objects', FILES), { log });
  const answer = serve({ objects, authorizeHtsget: () => ({ regions: 'all', formats: ['CRAM'] }) });
  const statuses = ['x/a.cram', 'x/a.cram.crai', 'x/a.bam', 'x/a.bam.bai'].map(
    async (path) => (await answer(`/files/${path}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403]);
});

test('passes the headers of a request on, and the checksums that a store knows', async () => {
  const data = memorySource(readFixture('reads.bam'), { key: 'a', version: '1' });
  const checksums = [{ type: 'sha-256', checksum: 'cafe' }];
  const tokens: unknown[] = [];
  const objects: Pick<ObjectCatalogue, 'resolve'> = {
    resolve: async (_id, _datatype, context) => {
      tokens.push(context?.headers?.get('authorization'));
      return [{ format: 'BAM', data, checksums, forwarded: { authorization: 'Bearer mine' } }];
    },
  };
  const answer = serve({ objects });
  const found = await describeObject(answer, 'a.bam', { headers: { authorization: 'Bearer mine' } });
  expect([found.checksums, tokens]).toEqual([checksums, ['Bearer mine']]);
});
