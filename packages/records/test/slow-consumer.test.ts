import { collectSlowly, fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { openRecords } from '../src/index.js';
import { serveHtsget } from './file-server.js';
import { genomeReference } from './genome-reference.js';

const regions = [
  { referenceName: 'chr1', start: 100, end: 90_000 },
  { referenceName: 'chr2', start: 0, end: 20_000 },
];

/** Copies what an iteration yields before it continues. */
async function copyAll(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Uint8Array[] = [];
  for await (const piece of pieces) copies.push(new Uint8Array(piece));
  return Buffer.concat(copies);
}

test.each([
  ['reads.bam', 'BAM'],
  ['straddle.bam', 'BAM'],
  ['reads.cram', 'CRAM'],
  ['multiref.cram', 'CRAM'],
  ['variants.vcf.gz', 'VCF'],
  ['variants.bcf', 'BCF'],
] as const)(
  'a slow consumer may keep the record bytes of %s, and of the service that delivers it',
  async (name, format) => {
    const origin = await serveHtsget({ a: [name] });
    const datatype = name.startsWith('variants') ? 'variants' : 'reads';
    const options = { reference: genomeReference };
    const file = await openRecords(fixturePath(name), options);
    const service = await openRecords({ htsget: `${origin}/${datatype}/a`, format }, options);
    for (const wanted of [undefined, regions]) {
      const expected = await copyAll(file.recordBytes(wanted, { skipUnknown: true }));
      expect(expected.length).toBeGreaterThan(1000);
      expect((await collectSlowly(file.recordBytes(wanted, { skipUnknown: true }))).equals(expected)).toBe(true);
      expect((await collectSlowly(service.recordBytes(wanted, { skipUnknown: true }))).equals(expected)).toBe(true);
    }
    await Promise.all([file.close(), service.close()]);
  },
);
