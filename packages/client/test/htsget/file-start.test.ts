import { gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER, gunzip } from '@htskit/bgzf';
import { concatBytes } from '@htskit/io';
import { dataUri, FORMATS, type HtsgetFormat, type Ticket } from '@htskit/protocol';
import { readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { HtsgetClientError, streamTicket } from '../../src/index.js';
import { collect } from '../listen.js';

const text = gunzip(readFixture('variants.vcf.gz')).subarray(0, 1000);
const bam = gunzip(readFixture('reads.bam')).subarray(0, 1000);
const toBytes = (content: string): Uint8Array => new TextEncoder().encode(content);

/** Returns blocks of one byte each, after empty ones. */
function tinyBlocks(data: Uint8Array): Uint8Array {
  const blocks = Array.from(data.subarray(0, 20), (byte) => deflateBlocks(Uint8Array.of(byte)));
  return concatBytes([EOF_MARKER, EOF_MARKER, ...blocks, deflateBlocks(data.subarray(20))]);
}

const ANSWERS: readonly (readonly [name: string, bytes: Uint8Array, formats: readonly HtsgetFormat[]])[] = [
  ['BAM', deflateBlocks(bam), ['BAM']],
  ['BAM in tiny blocks', tinyBlocks(bam), ['BAM']],
  ['BAM without compression', bam, []],
  ['BAM as gzip without blocks', gzipSync(bam), ['VCF']],
  ['CRAM', readFixture('reads.cram').subarray(0, 1000), ['CRAM']],
  ['VCF', deflateBlocks(text), ['VCF']],
  ['VCF in tiny blocks', tinyBlocks(text), ['VCF']],
  ['VCF as gzip without blocks', gzipSync(text), ['VCF']],
  ['VCF as text', text, ['VCF', 'VCFTEXT']],
  ['BCF', deflateBlocks(gunzip(readFixture('variants.bcf')).subarray(0, 1000)), ['BCF']],
  ['SAM', toBytes('@HD\tVN:1.6\n'), []],
  ['Base64', toBytes('H4sIBAAAAAAA/wYAQkMCAHEAc3L0'), []],
  ['an error page', toBytes('<!DOCTYPE html>\n<title>Sorry</title>'), []],
  ['an error body', toBytes('{"htsget":{"error":"NotFound"}}'), []],
  ['a compressed error body', deflateBlocks(toBytes('{"htsget":{"error":"NotFound"}}')), []],
  ['a damaged block', deflateBlocks(bam).fill(7, 30), []],
];

/** Downloads bytes that arrive in chunks, as the answer to a query for a header. */
async function outcomeOf(format: HtsgetFormat, bytes: Uint8Array, size: number): Promise<string> {
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
  const urls = starts.map((start) => ({ url: dataUri(bytes.subarray(start, start + size)), class: 'header' as const }));
  const ticket: Ticket = { htsget: { format, urls } };
  return collect(streamTicket(ticket, { verifyEnd: false })).then(
    (received) => (Buffer.from(received).equals(bytes) ? 'accepted' : 'other bytes'),
    (error: unknown) => (error instanceof HtsgetClientError ? error.code : String(error)),
  );
}

describe.each(ANSWERS)('an answer that is %s', (_, bytes, formats) => {
  test.each([1, 17, 100_000])('is of no other format, in chunks of %i', async (size) => {
    for (const format of Object.values(FORMATS).flat()) {
      const expected = formats.includes(format) ? 'accepted' : 'WRONG_FORMAT';
      expect([format, await outcomeOf(format, bytes, size)]).toEqual([format, expected]);
    }
  });
});

test.each(Object.values(FORMATS).flat())('an answer of %s that has no bytes is truncated', async (format) => {
  expect(await outcomeOf(format, new Uint8Array(), 1)).toBe('TRUNCATED');
});

test('the blocks of the body are of any bytes', async () => {
  const urls = [{ url: dataUri(Uint8Array.of(1, 2, 3)), class: 'body' as const }];
  const stream = streamTicket({ htsget: { format: 'BAM', urls } }, { class: 'body' });
  expect(await collect(stream)).toEqual(Uint8Array.of(1, 2, 3));
});
