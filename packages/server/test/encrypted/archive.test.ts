import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decryptStream, generateKeyPair, type KeyPair, reencryptHeader } from '@htskit/crypt4gh';
import { concatBytes } from '@htskit/io';
import type { Ticket } from '@htskit/protocol';
import { bgunzip, readFixture, SdaServer } from '@htskit/testing';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import { toServeOptions } from '../../src/config/serve-options.js';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { createFolder, encrypt } from './encrypted-files.js';

/** Bytes of a header with one key for one reader. */
const HEADER_BYTES = 124;
const FILES = ['reads.bam', 'reads.bam.bai', 'v21.cram', 'v21.cram.crai', 'variants.vcf.gz', 'variants.vcf.gz.tbi'];

let archive: SdaServer;
let client: KeyPair;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  client = generateKeyPair();
  const { publicKey, secretKey } = generateKeyPair();
  const reencrypt = (header: Uint8Array, reader: Uint8Array) =>
    reencryptHeader(header, { keys: [secretKey], recipients: [reader] });
  archive = await SdaServer.start({ reencrypt });
  onTestFinished(() => archive.close());
  archive.permissions.set('alice', new Set(['EGAD1']));
  archive.permissions.set('bob', new Set(['EGAD2']));
  for (const path of FILES) {
    const plain = readFixture(path);
    const stored = await encrypt(plain, [publicKey]);
    archive.files.push({
      dataset: 'EGAD1',
      path: `study/${path}.c4gh`,
      fileId: `EGAF-${path}`,
      header: stored.slice(0, HEADER_BYTES),
      content: stored.slice(HEADER_BYTES),
      decryptedSize: plain.length,
      sha256: createHash('sha256').update(plain).digest('hex'),
    });
  }
});

async function start(...lines: readonly string[]): Promise<RunningServer> {
  const file = join(createFolder(), 'htskit.yaml');
  const { config } = parseConfig(['listen: { port: 0 }', ...lines].join('\n'), { file, environment: {} });
  const options = await toServeOptions({ config, file, flags: { paths: [] }, environment: {} });
  const server = await serve({ ...options, log: (message) => logged.push(message) });
  onTestFinished(() => server.close());
  return server;
}

function startArchived(...lines: readonly string[]): Promise<RunningServer> {
  return start('htsget:', `  locations: [{ prefix: ega, location: "sda+${archive.url}" }]`, ...lines);
}

function headersOf(token: string | undefined): Record<string, string> {
  const key = Buffer.from(client.publicKey).toString('base64');
  return { 'htsget-context-public-key': key, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
}

async function requestTicket(url: string, token: string | undefined): Promise<Response> {
  return fetch(url, { headers: headersOf(token) });
}

/** Downloads an answer with the headers that its ticket names. */
async function download(url: string, token = 'alice'): Promise<Buffer> {
  const response = await requestTicket(url, token);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { htsget } = (await response.json()) as Ticket;
  const blocks: Buffer[] = [];
  for (const block of htsget.urls) {
    const sent = await fetch(block.url, { ...(block.headers && { headers: block.headers }) });
    expect(sent.status).toBe(200);
    blocks.push(Buffer.from(await sent.arrayBuffer()));
  }
  return Buffer.concat(blocks);
}

async function decrypt(bytes: Buffer): Promise<Buffer> {
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    yield bytes;
  }
  const plain: Uint8Array[] = [];
  for await (const chunk of decryptStream(chunks(), { keys: [client.secretKey] })) plain.push(chunk);
  return Buffer.from(concatBytes(plain));
}

/** Serves the same files as they are. */
function startPlain(): Promise<RunningServer> {
  const folder = createFolder();
  for (const name of FILES) writeFileSync(join(folder, name), readFixture(name));
  return start('htsget:', `  locations: [{ location: "${folder}" }]`);
}

/** Returns what is compressed by BGZF, whose blocks may differ, and CRAM as it is. */
function toContent(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes[0] === 0x1f ? bgunzip(bytes) : bytes);
}

const REGION = 'referenceName=chr1&start=20000&end=40000';
const QUERIES = [
  ['reads', 'reads', 'format=BAM'],
  ['reads', 'reads', `format=BAM&${REGION}`],
  ['reads', 'v21', 'format=CRAM'],
  ['variants', 'variants', `format=VCF&${REGION}`],
] as const;

test.each(QUERIES)('answers %s/%s?%s of an archive encrypted for the client', async (datatype, name, query) => {
  const server = await startArchived();
  const plain = await startPlain();
  const path = `/${datatype}/ega/EGAD1/study/${name}?${query}&encryptionScheme=crypt4gh`;
  const found = await decrypt(await download(server.url + path));
  const expected = await download(`${plain.url}/${datatype}/${name}?${query}`);
  expect(toContent(found).equals(toContent(expected))).toBe(true);
  expect(expected.length).toBeGreaterThan(100);
});

describe('the archive decides', () => {
  const REFUSALS: readonly (readonly [token: string | undefined, id: string, status: number, code: string])[] = [
    [undefined, 'ega/EGAD1/study/reads', 401, 'InvalidAuthentication'],
    ['mallory', 'ega/EGAD1/study/reads', 401, 'InvalidAuthentication'],
    ['bob', 'ega/EGAD1/study/reads', 403, 'PermissionDenied'],
    ['alice', 'ega/EGAD9/study/reads', 403, 'PermissionDenied'],
    ['alice', 'ega/EGAD1/study/absent', 404, 'NotFound'],
    ['alice', 'EGAD1/study/reads', 404, 'NotFound'],
  ];

  test.each(REFUSALS)('with the token %s, %s is a %i', async (token, id, status, code) => {
    const server = await startArchived();
    await download(`${server.url}/reads/ega/EGAD1/study/reads?encryptionScheme=crypt4gh`);
    const response = await requestTicket(`${server.url}/reads/${id}?encryptionScheme=crypt4gh`, token);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ htsget: { error: code } });
  });

  test('for each block, with the token that it comes with', async () => {
    const server = await startArchived();
    const response = await requestTicket(
      `${server.url}/reads/ega/EGAD1/study/reads?encryptionScheme=crypt4gh`,
      'alice',
    );
    const { htsget } = (await response.json()) as Ticket;
    const blocks = htsget.urls.filter(({ url }) => url.startsWith('http'));
    expect(blocks.length).toBeGreaterThan(0);
    for (const { url, headers } of blocks) {
      expect(headers).toEqual({ authorization: 'Bearer alice' });
      expect(url).not.toContain('alice');
      const statusOf = async (token?: string) => {
        const sent = await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
        await sent.arrayBuffer();
        return sent.status;
      };
      expect(await Promise.all([statusOf('alice'), statusOf('bob'), statusOf('mallory'), statusOf()])).toEqual([
        200, 403, 401, 401,
      ]);
    }
  });

  test('what is listed, and shows nothing to others', async () => {
    const server = await startArchived();
    const listed = async (token?: string) => {
      const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      return (await fetch(`${server.url}/`, { headers })).text();
    };
    for (let round = 0; round < 2; round++) {
      expect(await listed('alice')).toContain('ega/EGAD1/study/reads');
      for (const token of ['bob', 'mallory', undefined]) expect(await listed(token)).not.toContain('EGAD1');
    }
  });

  test('and is unavailable if it fails', async () => {
    const server = await startArchived('stores: { retries: 0 }');
    archive.interfere = () => 500;
    const response = await requestTicket(
      `${server.url}/reads/ega/EGAD1/study/reads?encryptionScheme=crypt4gh`,
      'alice',
    );
    expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
  });
});

test('an answer is refused plain, unless the operator allows it', async () => {
  const server = await startArchived();
  const response = await requestTicket(`${server.url}/reads/ega/EGAD1/study/reads`, 'alice');
  expect(response.status).toBe(403);
  const plain = await startArchived('crypt4gh: { plainDelivery: on }');
  const bytes = await download(`${plain.url}/reads/ega/EGAD1/study/reads`);
  expect(toContent(bytes).equals(toContent(readFixture('reads.bam')))).toBe(true);
});

test('no token is in the log, and requests to the archive have the token of their user only', async () => {
  const server = await startArchived();
  await download(`${server.url}/reads/ega/EGAD1/study/reads?${REGION}&encryptionScheme=crypt4gh`);
  await requestTicket(`${server.url}/reads/ega/EGAD1/study/reads?encryptionScheme=crypt4gh`, 'bob');
  expect(logged.join('\n')).not.toMatch(/alice|bob/);
  const allowed = archive.requests.filter(({ status }) => status < 400);
  expect(new Set(allowed.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer alice']));
});
