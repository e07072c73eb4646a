import { decryptingSource } from '@htskit/crypt4gh';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import {
  bamNames,
  bcfNames,
  cramNames,
  fixtureFile,
  fixtureHandler,
  fixturePathOf,
  vcfNames,
} from '../fixture-files.js';
import { fetchError, fetchFile, fetchTicket, PUBLIC_URL } from '../read-ticket.js';
import {
  contentOf,
  decrypt,
  ENCRYPTED_REQUEST,
  encrypted,
  encryptedFile,
  encryptFile,
  fetchDecrypted,
  SERVICE,
} from './encrypted-answer.js';

const NAMES = [...bamNames, ...cramNames, ...vcfNames, ...bcfNames];
const ENCRYPTED = Object.fromEntries(
  NAMES.map((name) => [`encrypted/${name}`, [encryptedFile(fixtureFile(name), readFixture(name))]]),
);
const handler = fixtureHandler({}, ENCRYPTED);

const QUERIES = ['', '&class=header', '&referenceName=chr1&start=1000&end=9000'];

test.each(NAMES)('the encrypted answers of %s, stored plain or encrypted, have what plain ones have', async (name) => {
  for (const query of QUERIES) {
    const path = `${fixturePathOf(name)}${query}`;
    const plain = await fetchFile(handler, path).catch(() => undefined);
    if (plain === undefined) continue;
    expect(contentOf(await fetchDecrypted(handler, path))).toEqual(contentOf(plain));
    const ofEncrypted = await fetchDecrypted(handler, path.replace(name, `encrypted/${name}`));
    expect(contentOf(ofEncrypted)).toEqual(contentOf(plain));
  }
});

test.each([
  '/reads/reads.cram?format=BAM&referenceName=chr1',
  '/reads/reads.bam?fields=QNAME,POS',
  '/reads/reads.bam?format=SAM&class=header',
  '/variants/variants.vcf.gz?format=BCF',
  '/variants/variants.vcf.gz?format=VCFTEXT&referenceName=chr1',
])('the encrypted answer of %s has what the plain one has', async (path) => {
  expect(contentOf(await fetchDecrypted(handler, path))).toEqual(contentOf(await fetchFile(handler, path)));
});

test('equal requests have equal answers, which another key does not open', async () => {
  const path = encrypted('/reads/encrypted/reads.bam');
  const [first, second] = await Promise.all([
    fetchFile(handler, path, ENCRYPTED_REQUEST),
    fetchFile(handler, path, ENCRYPTED_REQUEST),
  ]);
  expect(first).toEqual(second);
  await expect(decrypt(first, [SERVICE.secretKey])).rejects.toThrow(/no data key/);
});

test('no block has a class, because none can be read without the others', async () => {
  for (const path of ['/reads/reads.bam', '/reads/reads.bam?class=header']) {
    const { htsget } = await fetchTicket(handler, encrypted(path), ENCRYPTED_REQUEST);
    expect(htsget.urls.map((block) => block.class)).toEqual([undefined, undefined]);
  }
});

test.each([
  ['no key', {}],
  ['a malformed key', { 'X-C4GH-Public-Key': 'AAAA' }],
  ['two keys', { 'X-C4GH-Public-Key': `${'A'.repeat(42)}E=`, 'Client-Public-Key': `${'B'.repeat(42)}E=` }],
  ['a key of low order', { 'Client-Public-Key': `${'A'.repeat(43)}=` }],
])('%s is refused', async (_case, headers) => {
  expect(await fetchError(handler, encrypted('/reads/reads.bam'), { headers })).toEqual([400, 'InvalidInput']);
});

test('extensions that are off encrypt nothing', async () => {
  const plainOnly = fixtureHandler({ extensions: false }, ENCRYPTED);
  const answer = await fetchFile(plainOnly, encrypted('/reads/reads.bam'), ENCRYPTED_REQUEST);
  expect(answer).toEqual(await fetchFile(plainOnly, '/reads/reads.bam'));
  expect(await fetchError(plainOnly, encrypted('/reads/encrypted/reads.bam'), ENCRYPTED_REQUEST)).toEqual([
    403,
    'PermissionDenied',
  ]);
});

test('service-info announces encryption', async () => {
  const response = await handler(new Request(`${PUBLIC_URL}/reads/service-info`));
  expect(await response.json()).toMatchObject({ htsget: { encryptionSchemes: ['crypt4gh'] } });
});

test('an altered segment of a stored file is reported as a corrupt file, encrypted or not', async () => {
  const stored = Uint8Array.from(encryptFile(readFixture('reads.bam')));
  stored.fill(0, 200, 300);
  const data = decryptingSource(memorySource(stored, { key: 'altered', version: '1' }), { keys: [SERVICE.secretKey] });
  const altered = fixtureHandler({ plainDelivery: true }, { altered: [{ format: 'BAM', data, isEncrypted: true }] });
  for (const path of ['/reads/altered', encrypted('/reads/altered')]) {
    const response = await altered(new Request(PUBLIC_URL + path, ENCRYPTED_REQUEST));
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('corrupt')]);
  }
});
