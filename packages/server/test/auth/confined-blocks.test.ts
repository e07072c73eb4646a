import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EOF_MARKER } from '@htskit/bgzf';
import type { HtsgetRegion, Ticket } from '@htskit/protocol';
import { type DecodedBam, decodeBam, JsonServer, readFixture } from '@htskit/testing';
import { createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FetchHandler } from '../dispatch.js';
import { ask, guardedApp } from './guarded-app.js';

const key = await createKey('one');
const stored = decodeBam(readFixture('reads.bam'));
const OLD_KEY = 'hex:000102030405060708090a0b0c0d0e0f';
const NEW_KEY = 'base64:EBESExQVFhcYGRobHB0eHw==';

let folder: string;
let issuer: JsonServer;
let service: JsonServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-confined-'));
  writeFileSync(join(folder, 'panel.bed'), 'chr1\t5000\t9000\nchr2\t0\t300\n');
  issuer = await JsonServer.start(keySetOf(key));
  service = await JsonServer.start({ allow: false });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([issuer.stop(), service.stop()]);
});

function namesWithin(regions: readonly HtsgetRegion[], { references, records }: DecodedBam = stored): string[] {
  const isWithin = ({ referenceId, position, end }: DecodedBam['records'][number], region: HtsgetRegion): boolean =>
    (references[referenceId]?.name ?? '*') === region.referenceName &&
    (referenceId < 0 || (position < (region.end ?? Infinity) && end > (region.start ?? 0)));
  return records.filter((record) => regions.some((region) => isWithin(record, region))).map(({ name }) => name);
}

async function fetchTicket(app: FetchHandler, path: string, token: string): Promise<Ticket> {
  const response = await app(ask(path, token));
  if (response.status !== 200) throw new Error(`${response.status}`);
  return (await response.json()) as Ticket;
}

/** Names of the records of each block, which are fetched without a token. */
async function fetchBlocks(app: FetchHandler, { htsget }: Ticket): Promise<string[]> {
  const blocks = htsget.urls.map(async ({ url }) => {
    const response = url.startsWith('data:') ? await fetch(url) : await app(new Request(url));
    if (response.status !== 200) throw new Error(`${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  });
  const [header = Buffer.alloc(0), ...body] = await Promise.all(blocks);
  const decoded = body.map((block) => decodeBam(Buffer.concat([header, block, EOF_MARKER])));
  return decoded.flatMap(({ records }) => records.map(({ name }) => name));
}

const panel = [
  { referenceName: 'chr1', start: 5000, end: 9000 },
  { referenceName: 'chr2', start: 0, end: 300 },
];
const chr1 = { referenceName: 'chr1', start: 1000, end: 2000 };

const rules = [
  { claims: { groups: 'panel' }, objects: ['reads/cohort/*'], regionsFile: 'panel.bed' },
  { claims: { groups: 'begin' }, objects: ['reads/**'], regions: ['chr1:1,001-2,000', '*'] },
];

test.each<[string, string[], HtsgetRegion[]]>([
  ['a BED file', ['panel'], panel],
  ['a rule', ['begin'], [chr1, { referenceName: '*' }]],
  ['both', ['panel', 'begin'], [...panel, chr1, { referenceName: '*' }]],
])('a ticket of the whole file yields exactly the records of %s', async (_, groups, permitted) => {
  const app = await guardedApp({ jwt: jwtOf(issuer), rules }, { directory: folder });
  const token = await signToken(key, { scope: 'read:genomic_reads', groups });
  const names = await fetchBlocks(app, await fetchTicket(app, '/reads/cohort/a', token));
  expect(names).toEqual(namesWithin(permitted));
  expect(names.length).toBeGreaterThan(20);
  expect(names.length).toBeLessThan(stored.records.length / 2);
});

test('narrows a region to the permitted part, and refuses it if there is none', async () => {
  const app = await guardedApp({ jwt: jwtOf(issuer), rules }, { directory: folder });
  const token = await signToken(key, { scope: 'read:genomic_reads', groups: ['begin'] });
  const ticket = await fetchTicket(app, '/reads/cohort/a?referenceName=chr1&start=1500&end=100000', token);
  const names = await fetchBlocks(app, ticket);
  expect(names).toEqual(namesWithin([{ referenceName: 'chr1', start: 1500, end: 2000 }]));
  expect(names.length).toBeGreaterThan(0);
  expect((await app(ask('/reads/cohort/a?referenceName=chr2', token))).status).toBe(403);
});

test('restricts the output to the regions of the authorizer', async () => {
  service.document = { allow: true, regions: [chr1] };
  const app = await guardedApp({ jwt: jwtOf(issuer), authorizer: { url: service.url } });
  const token = await signToken(key, { scope: 'read:genomic_reads' });
  const names = await fetchBlocks(app, await fetchTicket(app, '/reads/cohort/a', token));
  expect(names).toEqual(namesWithin([chr1]));
});

test('rejects a block URL with any byte changed', async () => {
  const app = await guardedApp({ jwt: jwtOf(issuer), rules, signingKeys: [OLD_KEY] }, { directory: folder });
  const token = await signToken(key, { scope: 'read:genomic_reads', groups: ['begin'] });
  const { htsget } = await fetchTicket(app, '/reads/cohort/a', token);
  const url = htsget.urls.find((block) => block.url.startsWith('http'))?.url ?? '';
  const begin = url.indexOf('/blocks/') + '/blocks/'.length;
  // The last character of the signature has bits that are ignored.
  for (let at = begin; at < url.length - 1; at += 3) {
    const changed = url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1);
    expect((await app(new Request(changed))).status, `character ${at}`).toBe(403);
  }
  expect((await app(new Request(url))).status).toBe(200);
});

test('every replica with the key accepts block URLs, also after key rotation', async () => {
  const auth = { jwt: jwtOf(issuer), rules };
  const [old, both, next] = (await Promise.all(
    [[OLD_KEY], [NEW_KEY, OLD_KEY], [NEW_KEY]].map((signingKeys) =>
      guardedApp({ ...auth, signingKeys }, { directory: folder }),
    ),
  )) as [FetchHandler, FetchHandler, FetchHandler];
  const token = await signToken(key, { scope: 'read:genomic_reads', groups: ['begin'] });
  const former = await fetchTicket(old, '/reads/cohort/a', token);
  const latter = await fetchTicket(both, '/reads/cohort/a', token);
  const wanted = namesWithin([chr1, { referenceName: '*' }]);
  expect(await fetchBlocks(both, former)).toEqual(wanted);
  expect(await fetchBlocks(next, latter)).toEqual(wanted);
  await expect(fetchBlocks(next, former)).rejects.toThrow('403');
});
