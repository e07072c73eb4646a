import { decryptStream, generateKeyPair } from '@htskit/crypt4gh';
import { toByteStream } from '@htskit/io';
import { bgunzip, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { openHtsget } from '../../src/index.js';
import { collect } from '../listen.js';
import { fixtureService, READS } from './fixture-service.js';

const { publicKey, secretKey } = generateKeyPair();

test.each([
  ['BAM', 'reads.bam'],
  ['CRAM', 'reads.cram'],
] as const)('a %s file comes encrypted and is decrypted with an identity', async (format, name) => {
  const endpoint = { baseUrl: await fixtureService(), datatype: 'reads', id: READS } as const;
  const { stream } = await openHtsget(endpoint, { format }, { identity: secretKey });
  const content = (bytes: Uint8Array): Uint8Array => (format === 'BAM' ? bgunzip(bytes) : bytes);
  expect(Buffer.from(content(await collect(stream))).equals(content(readFixture(name)))).toBe(true);
});

test('several regions come encrypted by POST', async () => {
  const endpoint = { baseUrl: await fixtureService(), datatype: 'reads', id: READS } as const;
  const query = { regions: [{ referenceName: 'chr1', start: 0, end: 9000 }, { referenceName: 'chr2' }] };
  const plain = await collect((await openHtsget(endpoint, query)).stream);
  const { stream } = await openHtsget(endpoint, query, { identity: secretKey });
  expect(Buffer.from(bgunzip(await collect(stream))).equals(bgunzip(plain))).toBe(true);
});

test('the Crypt4GH file comes with a recipient, and is resumed in the middle', async () => {
  const endpoint = { baseUrl: await fixtureService(), datatype: 'reads', id: READS } as const;
  const first = await openHtsget(endpoint, {}, { recipient: publicKey });
  const reader = first.stream.getReader();
  const received: Uint8Array[] = [];
  for (let bytes = 0; bytes < 100_000; ) {
    const { value = new Uint8Array() } = await reader.read();
    received.push(value);
    bytes += value.length;
  }
  const state = first.resumeState();
  await reader.cancel();
  const resume = {
    state,
    received: (async function* () {
      yield* received;
    })(),
  };
  const { stream } = await openHtsget(endpoint, {}, { recipient: publicKey, resume });
  const file = Buffer.concat([...received, await collect(stream)]);
  const chunks = (async function* () {
    yield file;
  })();
  const plaintext = await collect(toByteStream(decryptStream(chunks, { keys: [secretKey] })));
  expect(Buffer.from(bgunzip(plaintext)).equals(bgunzip(readFixture('reads.bam')))).toBe(true);
});

test('an answer that is not encrypted is refused', async () => {
  const endpoint = `${await fixtureService({ extensions: false })}/reads/${READS}`;
  const { stream } = await openHtsget(endpoint, {}, { identity: secretKey });
  await expect(collect(stream)).rejects.toThrow('the answer is not Crypt4GH');
});

test('an answer for another key is refused', async () => {
  const endpoint = `${await fixtureService()}/reads/${READS}`;
  const { stream } = await openHtsget(endpoint, {}, { recipient: generateKeyPair().publicKey, identity: secretKey });
  await expect(collect(stream)).rejects.toMatchObject({ code: 'UNDECRYPTABLE' });
});

test('a download that is decrypted cannot be resumed', async () => {
  const endpoint = `${await fixtureService()}/reads/${READS}`;
  const { resumeState } = await openHtsget(endpoint);
  await expect(
    openHtsget(endpoint, {}, { identity: secretKey, resume: { state: resumeState() } }),
  ).rejects.toMatchObject({
    code: 'INVALID_QUERY',
  });
});
