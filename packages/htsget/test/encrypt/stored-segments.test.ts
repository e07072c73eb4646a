import { deflateBlocks, inflateBlocks } from '@htskit/bgzf';
import { openHeader } from '@htskit/crypt4gh';
import { STORED_SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, readFixture, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { HtsgetOptions, StoredFile } from '../../src/index.js';
import { fixtureFile, fixtureHandler } from '../fixture-files.js';
import { fetchFile, fetchTicket, type Handler } from '../read-ticket.js';
import {
  CLIENT,
  contentOf,
  decrypt,
  ENCRYPTED_REQUEST,
  encrypted,
  encryptedFile,
  encryptFile,
  fetchDecrypted,
  SERVICE,
} from './encrypted-answer.js';

/** A BAM file of about 20 segments. */
const LONG_BAM = deflateBlocks(inflateBlocks(readFixture('reads.bam')), { level: 0 });
const CRAM = readFixture('reads.cram');

const bam: StoredFile = { format: 'BAM', data: memorySource(LONG_BAM, { key: 'long.bam', version: '1' }) };
const OBJECTS = {
  bam: [encryptedFile(bam, LONG_BAM)],
  'plain-bam': [bam],
  cram: [encryptedFile(fixtureFile('reads.cram'), CRAM)],
  'plain-cram': [fixtureFile('reads.cram')],
};

const PATHS = [
  '/reads/bam',
  '/reads/bam?referenceName=chr1&start=1000&end=190000',
  '/reads/cram?format=CRAM',
  '/reads/cram?format=CRAM&referenceName=chr1',
];

function createHandler(options: Partial<HtsgetOptions> = {}): Handler {
  return fixtureHandler({ precision: 'chunks', ...options }, OBJECTS);
}

/** Returns how many segments of a stored file occur in an answer as they are. */
async function countPassed(answer: Uint8Array, plaintext: Uint8Array): Promise<number> {
  const stored = encryptFile(plaintext);
  const { byteLength } = await openHeader(memorySource(stored, { key: 'stored' }), { keys: [SERVICE.secretKey] });
  const haystack = Buffer.from(answer);
  let passed = 0;
  for (let start = byteLength; start < stored.length; start += STORED_SEGMENT_BYTES) {
    if (haystack.includes(Buffer.from(stored.subarray(start, start + STORED_SEGMENT_BYTES)))) passed += 1;
  }
  return passed;
}

/** Returns the number of data keys that the client finds in an answer. */
async function countDataKeys(answer: Uint8Array): Promise<number> {
  const header = await openHeader(memorySource(answer, { key: 'answer' }), { keys: [CLIENT.secretKey] });
  return header.dataKeys.length;
}

test.each(PATHS)('the encrypted answer of %s has stored segments as they are', async (path) => {
  const handler = createHandler();
  const answer = await fetchFile(handler, encrypted(path), ENCRYPTED_REQUEST);
  const plain = await fetchFile(handler, path.replace('/reads/', '/reads/plain-'));
  expect(contentOf(await decrypt(answer))).toEqual(contentOf(plain));
  expect(await countPassed(answer, path.includes('cram') ? CRAM : LONG_BAM)).toBeGreaterThan(0);
  expect(await countDataKeys(answer)).toBe(2);
});

test.each(['/reads/bam', '/reads/bam?referenceName=chr1'])(
  'the narrowed answer of %s has no stored segment and no stored data key',
  async (path) => {
    const handler = createHandler({
      authorize: () => ({ regions: [{ referenceName: 'chr1', start: 0, end: 190_000 }] }),
    });
    const answer = await fetchFile(handler, encrypted(path), ENCRYPTED_REQUEST);
    const plain = await fetchFile(handler, path.replace('/reads/', '/reads/plain-'));
    expect(contentOf(await decrypt(answer))).toEqual(contentOf(plain));
    expect(await countPassed(answer, LONG_BAM)).toBe(0);
    expect(await countDataKeys(answer)).toBe(1);
  },
);

const SHORT_BLOCKS = { limits: { blockBytes: 2 ** 17, convertedBytes: 2 ** 17 } };

test.each([...PATHS, '/reads/bam?fields=QNAME,POS', '/reads/cram?format=BAM'])(
  'the encrypted answer of %s in short blocks has what the plain one has',
  async (path) => {
    const handler = createHandler(SHORT_BLOCKS);
    const plain = await fetchFile(handler, path.replace('/reads/', '/reads/plain-'));
    expect(contentOf(await fetchDecrypted(handler, path))).toEqual(contentOf(plain));
  },
);

test.each(PATHS)('a range of a block of %s is the part of the block', async (path) => {
  const random = createRandom(7);
  const handler = createHandler(SHORT_BLOCKS);
  const { htsget } = await fetchTicket(handler, encrypted(path), ENCRYPTED_REQUEST);
  for (const { url } of htsget.urls.slice(1)) {
    const whole = await handler(new Request(url));
    const block = new Uint8Array(await whole.arrayBuffer());
    expect(whole.headers.get('content-length')).toBe(String(block.length));
    for (let i = 0; i < volume(100); i += 1) {
      const start = Math.floor(random() * block.length);
      const end = start + Math.floor(random() * (block.length - start));
      const headers = { range: `bytes=${start}-${end}`, 'if-range': whole.headers.get('etag') ?? '' };
      const part = await handler(new Request(url, { headers }));
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(block.subarray(start, end + 1))).toBe(true);
    }
  }
});
