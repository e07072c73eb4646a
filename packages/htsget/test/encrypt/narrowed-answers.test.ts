import { openHeader } from '@htskit/crypt4gh';
import { decryptSegment, STORED_SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import { concatBytes } from '@htskit/io';
import type { HtsgetRegion } from '@htskit/protocol';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, readFixture, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { fixtureFile, fixtureHandler } from '../fixture-files.js';
import { fetchFile } from '../read-ticket.js';
import { CLIENT, contentOf, ENCRYPTED_REQUEST, encrypted, encryptedFile } from './encrypted-answer.js';

/** Decrypts every segment that a key of the header opens, whatever the edit list says. */
async function decryptAll(answer: Uint8Array): Promise<{ plaintext: Uint8Array; isAllOpened: boolean; keys: number }> {
  const header = await openHeader(memorySource(answer, { key: 'answer' }), { keys: [CLIENT.secretKey] });
  const opened: (Uint8Array | undefined)[] = [];
  for (let start = header.byteLength; start < answer.length; start += STORED_SEGMENT_BYTES) {
    const segment = answer.subarray(start, start + STORED_SEGMENT_BYTES);
    opened.push(header.dataKeys.map((key) => decryptSegment(segment, key)).find((bytes) => bytes !== undefined));
  }
  const bytes = opened.filter((segment) => segment !== undefined);
  return {
    plaintext: Uint8Array.from(concatBytes(bytes)),
    isAllOpened: bytes.length === opened.length,
    keys: header.dataKeys.length,
  };
}

const NAMES = ['reads.bam', 'reads.cram', 'variants.vcf.gz', 'variants.bcf'] as const;

/** Each answer is narrowed to a random region, in a random format that can be narrowed, in blocks of 128 KiB. */
test.each(NAMES)('nothing outside a narrowed region of %s, stored encrypted, can be decrypted', async (name) => {
  const random = createRandom(name.length);
  const file = fixtureFile(name);
  const isReads = name.startsWith('reads');
  let permitted: HtsgetRegion = { referenceName: 'chr1' };
  const options = {
    plainDelivery: true,
    authorize: () => ({ regions: [permitted] }),
    limits: { blockBytes: 2 ** 17, convertedBytes: 2 ** 17 },
  };
  const handler = fixtureHandler(options, { object: [encryptedFile(file, readFixture(name))], plain: [file] });
  for (let round = 0; round < volume(250); round += 1) {
    const start = Math.floor(random() * 200_000);
    permitted = {
      referenceName: random() < 0.8 ? 'chr1' : 'chr2',
      start,
      end: start + 1 + Math.floor(random() * 20_000),
    };
    const format = isReads ? 'BAM' : ['VCF', 'BCF'][Math.floor(random() * 2)];
    const query = `format=${format}${random() < 0.5 ? '' : `&referenceName=${permitted.referenceName}`}`;
    const path = `/${isReads ? 'reads' : 'variants'}/object?${query}`;
    const answer = await fetchFile(handler, encrypted(path), ENCRYPTED_REQUEST);
    const { plaintext, isAllOpened, keys } = await decryptAll(answer);
    expect([isAllOpened, keys]).toEqual([true, 1]);
    expect(contentOf(plaintext)).toEqual(contentOf(await fetchFile(handler, path.replace('/object', '/plain'))));
  }
});
