import { expect, test } from 'vitest';
import type { HtsgetOptions, StoredFile } from '../../src/index.js';
import { fixtureFile, fixtureHandler } from '../fixture-files.js';
import { fetchError, fetchFile, fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';

const ENCRYPTED: Readonly<Record<string, readonly StoredFile[]>> = {
  reads: [{ ...fixtureFile('reads.bam'), isEncrypted: true }],
  variants: [{ ...fixtureFile('variants.vcf.gz'), isEncrypted: true }],
  mixed: [fixtureFile('reads.bam'), { ...fixtureFile('reads.cram'), isEncrypted: true }],
};

const PATHS = [
  '/reads/reads',
  '/reads/reads?class=header',
  '/reads/reads?format=SAM&class=header',
  '/reads/reads?referenceName=chr1&start=1000&end=9000',
  '/reads/mixed?format=CRAM',
  '/variants/variants',
  '/variants/variants?format=BCF&referenceName=chr1',
];

test.each(PATHS)('%s of an object that is stored encrypted is refused, with what to request instead', async (path) => {
  const response = await fixtureHandler({}, ENCRYPTED)(new Request(PUBLIC_URL + path));
  const { htsget } = (await response.json()) as { htsget: { error: string; message: string } };
  expect([response.status, htsget.error]).toEqual([403, 'PermissionDenied']);
  expect(htsget.message).toMatch(/encryptionScheme=crypt4gh.*Htsget-Context-Public-Key/);
});

test('the refusal names no parameter that is switched off', async () => {
  const response = await fixtureHandler({ extensions: false }, ENCRYPTED)(new Request(`${PUBLIC_URL}/reads/reads`));
  const { htsget } = (await response.json()) as { htsget: { message: string } };
  expect([response.status, htsget.message]).toEqual([403, 'this object is stored encrypted and is not sent plain']);
});

test.each(PATHS)('%s is the answer of a plain file if plain delivery is on', async (path) => {
  const file = await fetchFile(fixtureHandler({ plainDelivery: true }, ENCRYPTED), path);
  const plain = Object.fromEntries(
    Object.entries(ENCRYPTED).map(([id, files]) => [id, files.map((each) => ({ ...each, isEncrypted: false }))]),
  );
  expect(file).toEqual(await fetchFile(fixtureHandler({}, plain), path));
});

test('a plain file of an object is answered although another one is encrypted', async () => {
  const file = await fetchFile(fixtureHandler({}, ENCRYPTED), '/reads/mixed');
  expect(file).toEqual(await fetchFile(fixtureHandler(), '/reads/reads.bam'));
});

test('a format that there is not is reported before the refusal', async () => {
  expect(await fetchError(fixtureHandler({}, ENCRYPTED), '/reads/reads?format=CRAM')).toEqual([
    400,
    'UnsupportedFormat',
  ]);
});

test('a block of a ticket from before plain delivery was switched off is refused', async () => {
  const signingKeys: HtsgetOptions['signingKeys'] = [new Uint8Array(32).fill(7)];
  const allowing: Handler = fixtureHandler({ signingKeys, plainDelivery: true }, ENCRYPTED);
  const { htsget } = await fetchTicket(allowing, '/reads/reads');
  const path = htsget.urls.find(({ url }) => url.startsWith(PUBLIC_URL))?.url.slice(PUBLIC_URL.length) ?? '';
  expect((await allowing(new Request(PUBLIC_URL + path))).status).toBe(200);
  expect(await fetchError(fixtureHandler({ signingKeys }, ENCRYPTED), path)).toEqual([403, 'PermissionDenied']);
});

test('a ticket never leads to the stored bytes of an encrypted file, even if its store could send them', async () => {
  const [file] = ENCRYPTED['reads'] ?? [];
  const located: StoredFile[] =
    file === undefined ? [] : [{ ...file, locate: async () => ({ url: 'https://store/' }) }];
  const handler = fixtureHandler({ plainDelivery: true }, { reads: located });
  const { htsget } = await fetchTicket(handler, '/reads/reads');
  expect(htsget.urls.length).toBeGreaterThan(0);
  expect(htsget.urls.filter(({ url }) => url.startsWith('https://store/'))).toEqual([]);
});
