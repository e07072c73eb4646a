import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPair, type SecretKey } from '@htskit/crypt4gh';
import type { Ticket } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { s3ObjectStore } from '@htskit/storage/s3';
import { bgunzip, readFixture } from '@htskit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { decryptWith } from '../../src/files/key-files.js';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';
import { startBucket } from '../bucket.js';
import {
  createEncryptedFolder,
  createFolder,
  type EncryptedFolder,
  encrypt,
  startWebServer,
} from './encrypted-files.js';

interface TestServer extends RunningServer {
  readonly logged: readonly string[];
}

async function start(keys: readonly SecretKey[], options: Partial<ServeOptions>): Promise<TestServer> {
  const logged: string[] = [];
  const common = { host: '127.0.0.1', port: 0, authority: 'ga4gh', settlesFirst: true, paths: [] } as const;
  const decrypt = keys.length === 0 ? undefined : decryptWith(keys);
  const server = await serve({ ...common, decrypt, log: (message) => logged.push(message), ...options });
  onTestFinished(() => server.close());
  return Object.assign(server, { logged });
}

const PLAIN = { htsget: { plainDelivery: true } };

/** Serves a folder whose objects are answered plain. */
function startPlain({ path, key }: EncryptedFolder, options: Partial<ServeOptions> = {}): Promise<TestServer> {
  return start([key.secretKey], { paths: [path], ...PLAIN, ...options });
}

async function download(server: RunningServer, path: string, init?: RequestInit): Promise<Buffer> {
  const response = await fetch(server.url + path, init);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { htsget } = (await response.json()) as Ticket;
  const blocks: Buffer[] = [];
  for (const { url, headers = {} } of htsget.urls) {
    blocks.push(Buffer.from(await (await fetch(url, { headers })).arrayBuffer()));
  }
  return Buffer.concat(blocks);
}

/** The fixtures with their indexes. */
const FILES: Readonly<Record<string, string>> = {
  'reads.bam': '.bai',
  'v21.cram': '.crai',
  'variants.vcf.gz': '.tbi',
  'variants.bcf': '.csi',
};

const REGION = 'referenceName=chr1&start=20000&end=40000';
const POST: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ regions: [{ referenceName: 'chr1', start: 100, end: 30_000 }, { referenceName: 'chr2' }] }),
};

const REQUESTS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/reads/reads'],
  ['/reads/reads?class=header'],
  [`/reads/reads?${REGION}`],
  [`/reads/reads?${REGION}&fields=QNAME,FLAG&tags=NM`],
  ['/reads/reads', POST],
  ['/reads/v21?format=CRAM'],
  [`/reads/v21?format=CRAM&${REGION}`],
  [`/reads/v21?format=BAM&${REGION}`],
  ['/variants/variants'],
  [`/variants/variants?${REGION}`],
  [`/variants/variants?format=BCF&${REGION}`],
  ['/variants/variants?format=BCF'],
];

async function addFiles(folder: EncryptedFolder, isIndexEncrypted: boolean): Promise<void> {
  for (const [name, extension] of Object.entries(FILES)) {
    await folder.add(name);
    const index = readFixture(name + extension);
    if (isIndexEncrypted) await folder.add(name + extension, index);
    else folder.addPlain(`${name}.c4gh${extension}`, index);
  }
}

function addPlainFiles(folder: EncryptedFolder): void {
  for (const [name, extension] of Object.entries(FILES))
    for (const each of [name, name + extension]) folder.addPlain(each);
}

describe('with plain delivery, the answers are those of the plain files', () => {
  test.each([
    ['an encrypted index', true, REQUESTS],
    ['a plain index', false, REQUESTS.filter(([path]) => path.includes(REGION))],
  ])('in a folder, with %s', async (_, isIndexEncrypted, requests) => {
    const [encrypted, plain] = [await createEncryptedFolder(), await createEncryptedFolder()];
    await addFiles(encrypted, isIndexEncrypted);
    addPlainFiles(plain);
    const [server, other] = [await startPlain(encrypted), await startPlain(plain)];
    for (const [path, init] of requests) {
      const found = await download(server, path, init);
      expect(found.equals(await download(other, path, init)), path).toBe(true);
      expect(found.length).toBeGreaterThan(0);
    }
    expect(server.logged).toEqual([]);
  });

  test('in a bucket, whose presigned URLs never lead to an encrypted file', async () => {
    const bucket = await startBucket();
    onTestFinished(() => bucket.server.close());
    const { key } = await createEncryptedFolder();
    const store = s3ObjectStore({ ...bucket.s3, bucket: bucket.server.bucket });
    for (const name of ['reads.bam', 'reads.bam.bai']) {
      await store.put(`x/${name}.c4gh`, await encrypt(readFixture(name), [key.publicKey]));
      await store.put(`x/plain/${name}`, readFixture(name));
    }
    const location = { kind: 's3', bucket: bucket.server.bucket, key: 'x' } as const;
    const objectLocations = [{ location, delivery: 'presigned' }] as const;
    const server = await start([key.secretKey], { objectLocations, s3: bucket.s3, ...PLAIN });
    for (const query of ['', `?${REGION}`]) {
      const found = await download(server, `/reads/reads${query}`);
      expect(found.equals(await download(server, `/reads/plain/reads${query}`))).toBe(true);
    }
    const urlsOf = async (id: string): Promise<readonly string[]> =>
      ((await (await fetch(`${server.url}/reads/${id}`)).json()) as Ticket).htsget.urls.map(({ url }) => url);
    const isOfBucket = (url: string): boolean => url.startsWith(bucket.server.endpoint);
    expect((await urlsOf('plain/reads')).some(isOfBucket)).toBe(true);
    expect((await urlsOf('reads')).some(isOfBucket)).toBe(false);
  });

  test('on a web server', async () => {
    const folder = await createEncryptedFolder();
    await addFiles(folder, true);
    const files = new Map(
      await Promise.all(
        ['reads.bam', 'reads.bam.bai'].map(
          async (name) => [`/${name}.c4gh`, await encrypt(readFixture(name), [folder.key.publicKey])] as const,
        ),
      ),
    );
    const location = { kind: 'http', url: `${await startWebServer(files)}/reads.bam.c4gh` } as const;
    const server = await start([folder.key.secretKey], { objectLocations: [{ location }], ...PLAIN });
    const other = await startPlain(folder);
    const path = `/reads/reads?${REGION}`;
    expect((await download(server, path)).equals(await download(other, path))).toBe(true);
  });

  test('for the depth of reads, and no file is written', async () => {
    const [encrypted, plain] = [await createEncryptedFolder(), await createEncryptedFolder()];
    await addFiles(encrypted, true);
    addPlainFiles(plain);
    const made = createFolder();
    const limits = { coverage: 'on', coverageLimits: { exactBytes: 1000 } } as const;
    const folder = { path: made, maxBytes: 1e9 };
    const [server, beside] = [
      await startPlain(encrypted, { ...limits, coverageFolder: folder }),
      await startPlain(encrypted, limits),
    ];
    const other = await startPlain(plain);
    const before = readdirSync(encrypted.path);
    for (const each of [server, beside]) {
      expect(await (await fetch(`${each.url}/coverage/reads?${REGION}&bins=3`)).json()).toMatchObject({
        estimated: true,
      });
      expect((await fetch(`${each.url}/coverage/reads.bw`)).status).toBe(404);
      await each.close();
    }
    expect([readdirSync(encrypted.path), readdirSync(made)]).toEqual([before, []]);
    const exact = await startPlain(encrypted);
    const path = `/coverage/reads?${REGION}&bins=3`;
    expect(await (await fetch(exact.url + path)).json()).toEqual(await (await fetch(other.url + path)).json());
  });
});

describe('without plain delivery', () => {
  test.each<[path: string, init?: RequestInit]>([
    ...REQUESTS.map(([path, init]): [string, RequestInit?] => [path, init]),
    ['/coverage/reads?referenceName=chr1'],
    ['/coverage/reads.bw'],
    ['/coverage/variants?datatype=variants&referenceName=chr1'],
  ])('%s is refused, with what to request instead', async (path, init) => {
    const folder = await createEncryptedFolder();
    await addFiles(folder, true);
    const server = await start([folder.key.secretKey], { paths: [folder.path] });
    const response = await fetch(server.url + path, init);
    expect(response.status).toBe(403);
    expect(await response.text()).toMatch(/encryptionScheme=crypt4gh.*Htsget-Context-Public-Key/);
    expect(server.logged).toEqual([]);
  });

  test('objects are listed as encrypted, and left out of the configurations of browsers', async () => {
    const folder = await createEncryptedFolder();
    await folder.add('reads.bam');
    folder.addPlain('genome.fa');
    folder.addPlain('variants.vcf.gz');
    const server = await start([folder.key.secretKey], { paths: [folder.path] });
    const listing: unknown = await (await fetch(server.url, { headers: { accept: 'application/json' } })).json();
    expect(listing).toEqual({
      objects: [
        { datatype: 'reads', id: 'reads', formats: ['BAM'], isEncrypted: true },
        { datatype: 'variants', id: 'variants', formats: ['VCF', 'BCF', 'VCFTEXT'] },
      ],
      isComplete: true,
    });
    expect(await (await fetch(server.url)).text()).toMatch(/^\/reads\/reads +BAM \(stored encrypted\)$/m);
    const details: unknown = await (await fetch(`${server.url}/page/objects/reads/reads?example`)).json();
    expect(details).toMatchObject({
      isEncrypted: true,
      files: [{ format: 'BAM', bytes: readFixture('reads.bam').length, isEncrypted: true }],
    });
    const session = (await (await fetch(`${server.url}/igv/session.json`)).json()) as { tracks: { name: string }[] };
    expect(session.tracks.map(({ name }) => name)).toEqual(['variants']);
    const shown = await startPlain(folder);
    const all = (await (await fetch(`${shown.url}/igv/session.json`)).json()) as { tracks: { name: string }[] };
    expect(all.tracks.map(({ name }) => name).sort()).toEqual(['reads', 'variants']);
  });

  test('the sequences of an encrypted FASTA are not served, and the log says what they need', async () => {
    const folder = await createEncryptedFolder();
    await folder.add('genome.fa');
    const md5 = '8d7cdef404cd54bc03939a96b12c7488';
    const server = await start([folder.key.secretKey], { paths: [folder.path] });
    expect((await fetch(`${server.url}/sequence/${md5}`)).status).toBe(404);
    expect(server.logged.join()).toMatch(/genome\.fa\.c4gh is not served: .*crypt4gh\.plainDelivery/);
    const allowing = await startPlain(folder);
    expect((await fetch(`${allowing.url}/sequence/${md5}`)).status).toBe(200);
    expect(readdirSync(folder.path)).toEqual(['genome.fa.c4gh']);
  });
});

describe('a request with a public key gets one Crypt4GH file that its secret key opens', () => {
  test.each<[path: string, init?: RequestInit]>(REQUESTS.map(([path, init]) => [path, init]))(
    '%s',
    async (path, init) => {
      const [folder, plain] = [await createEncryptedFolder(), await createEncryptedFolder()];
      await addFiles(folder, true);
      addPlainFiles(plain);
      const server = await start([folder.key.secretKey], { paths: [folder.path] });
      const other = await startPlain(plain);
      const client = generateKeyPair();
      const key = { 'Htsget-Context-Public-Key': Buffer.from(client.publicKey).toString('base64') };
      const encrypted =
        init === undefined
          ? await download(server, `${path}${path.includes('?') ? '&' : '?'}encryptionScheme=crypt4gh`, {
              headers: key,
            })
          : await download(server, path, {
              ...init,
              headers: { ...(init.headers as Readonly<Record<string, string>>), ...key },
              body: JSON.stringify({ ...(JSON.parse(init.body as string) as object), encryptionScheme: 'C4GH' }),
            });
      const readWith = async (secretKey: SecretKey): Promise<Buffer> => {
        const source = decryptWith([secretKey])(memorySource(encrypted));
        const { size } = await source.stat();
        return Buffer.from(await source.read({ start: 0, end: size }));
      };
      // Blocks that begin or end differently may hold the same data.
      const dataOf = (file: Buffer): Buffer => (path.includes('format=CRAM') ? file : Buffer.from(bgunzip(file)));
      const found = dataOf(await readWith(client.secretKey));
      expect(found.equals(dataOf(await download(other, path, init)))).toBe(true);
      await expect(readWith(folder.key.secretKey)).rejects.toMatchObject({ code: 'NO_KEY_FITS' });
      expect(server.logged).toEqual([]);
    },
  );
});

describe('a file that cannot be decrypted', () => {
  test.each([
    [
      'that no key opens',
      /no key|NO_KEY|keys/i,
      async (folder: EncryptedFolder) => {
        await folder.add('reads.bam', undefined, [generateKeyPair().publicKey]);
      },
    ],
    [
      'that is cut within its header',
      /header|ends/i,
      async (folder: EncryptedFolder) => {
        truncateSync(await folder.add('reads.bam'), 60);
      },
    ],
    [
      'that is empty',
      /header|ends/i,
      async (folder: EncryptedFolder) => {
        writeFileSync(await folder.add('reads.bam'), '');
      },
    ],
    [
      'that is plain in spite of its name',
      /Crypt4GH|header/i,
      async (folder: EncryptedFolder) => {
        folder.addPlain('reads.bam.c4gh', readFixture('reads.bam'));
      },
    ],
  ])('%s is listed and answered with 500, and the log says why', async (_, reason, add) => {
    const folder = await createEncryptedFolder();
    await add(folder);
    folder.addPlain('v21.cram');
    const server = await startPlain(folder);
    const listing = (await (await fetch(`${server.url}/page/objects`)).json()) as { objects: unknown[] };
    expect(listing.objects).toMatchObject([
      { id: 'reads', isEncrypted: true, files: [{ format: 'BAM', isEncrypted: true }] },
      { id: 'v21' },
    ]);
    const response = await fetch(`${server.url}/reads/reads?${REGION}`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain(folder.path);
    expect(server.logged.join('\n')).toMatch(/^reads\/reads: /m);
    expect(server.logged.join('\n')).toMatch(reason);
    expect((await fetch(`${server.url}/reads/v21?class=header&format=CRAM`)).status).toBe(200);
  });

  test('nothing of it is sent if a segment was altered', async () => {
    const folder = await createEncryptedFolder();
    const path = await folder.add('reads.bam');
    await folder.add('reads.bam.bai');
    const bytes = readFileSync(path);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const server = await startPlain(folder);
    await expect(download(server, '/reads/reads')).rejects.toThrow(/\w/);
    expect(server.logged.length).toBeGreaterThan(0);
  });

  test('the secret key is in no log and in no answer', async () => {
    const folder = await createEncryptedFolder();
    await folder.add('reads.bam', undefined, [generateKeyPair().publicKey]);
    const server = await startPlain(folder);
    const answers = await Promise.all(
      ['/reads/reads', '/', '/page/objects', '/metrics', '/reads/service-info'].map(async (path) =>
        (await fetch(server.url + path)).text(),
      ),
    );
    const lines = folder.key.text.split('\n').filter((line) => line !== '' && !line.startsWith('-'));
    for (const text of [...answers, ...server.logged]) for (const line of lines) expect(text).not.toContain(line);
    expect(existsSync(join(folder.path, 'server.sec'))).toBe(false);
  });
});

test('a file that is encrypted anew is a new version', async () => {
  const folder = await createEncryptedFolder();
  await folder.add('reads.bam');
  const server = await startPlain(folder);
  const { htsget } = (await (await fetch(`${server.url}/reads/reads`)).json()) as Ticket;
  const url = htsget.urls.find((block) => block.url.startsWith('http'))?.url ?? '';
  await folder.add('reads.bam');
  expect((await fetch(url)).status).toBeGreaterThanOrEqual(400);
  expect((await download(server, '/reads/reads')).equals(readFixture('reads.bam'))).toBe(true);
});

test('a reload takes another key', async () => {
  const [folder, other] = [await createEncryptedFolder(), await createEncryptedFolder()];
  await folder.add('reads.bam', undefined, [other.key.publicKey]);
  const server = await startPlain(folder);
  expect((await fetch(`${server.url}/reads/reads`)).status).toBe(500);
  const decrypt = decryptWith([folder.key.secretKey, other.key.secretKey]);
  const common = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined, ...PLAIN } as const;
  await server.reload({ ...common, paths: [folder.path], decrypt });
  expect((await download(server, '/reads/reads')).equals(readFixture('reads.bam'))).toBe(true);
});
