import { EOF_MARKER, parseBlockHeader } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { fixtureFile, fixtureHandler, fixturePathOf } from '../fixture-files.js';
import { fetchFile, type Handler, PUBLIC_URL } from '../read-ticket.js';

/** An object whose file is the first bytes of a fixture, with the whole index of the fixture. */
function truncatedHandler(name: string, byteLength: number, precision: 'chunks' | 'exact'): Handler {
  const data = memorySource(readFixture(name).subarray(0, byteLength), { key: name, version: '1' });
  return fixtureHandler({ precision }, { [name]: [{ ...fixtureFile(name), data }] });
}

describe.each(['reads.bam', 'reads.cram', 'variants.vcf.gz', 'variants.bcf'])('%s', (name) => {
  const size = readFixture(name).length;
  const path = `${fixturePathOf(name)}&referenceName=chr2`;

  test.each(['chunks', 'exact'] as const)(
    'is an error if it ends before an offset of the index (%s)',
    async (precision) => {
      const handler = truncatedHandler(name, Math.floor(size / 3), precision);
      const response = await handler(new Request(PUBLIC_URL + path));
      expect([response.status, await response.json()]).toMatchObject([
        500,
        { htsget: { error: 'InternalServerError' } },
      ]);
      const header = await handler(new Request(`${PUBLIC_URL}${fixturePathOf(name)}&class=header`));
      expect(header.status).toBe(200);
    },
  );

  test('without its end marker has the same answer', async () => {
    const endBytes = name === 'reads.cram' ? 38 : EOF_MARKER.length;
    for (const precision of ['chunks', 'exact'] as const) {
      const expected = await fetchFile(fixtureHandler({ precision }), path);
      const found = await fetchFile(truncatedHandler(name, size - endBytes, precision), path);
      expect(Buffer.compare(found, expected), precision).toBe(0);
    }
  });
});

test.each([
  ['a file that ends within the mapped reads', 'reads.bam', 20_000],
  [
    'a file that ends where they begin',
    'no-references.bam',
    parseBlockHeader(readFixture('no-references.bam')).blockSize,
  ],
])('unplaced reads of %s are an error', async (_, name, byteLength) => {
  const handler = truncatedHandler(name, byteLength, 'exact');
  const response = await handler(new Request(`${PUBLIC_URL}/reads/${name}?referenceName=*`));
  expect(response.status).toBe(500);
});
