import { readdirSync, readFileSync } from 'node:fs';
import { fixturePath, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { decodeCram, fastaSource } from '../decode-cram.js';
import { rejection, toSamLines } from './decode-slices.js';

const reference = fastaSource(fixturePath('cram/records.fa'));
const files = readdirSync(fixturePath('cram')).filter((name) => name.endsWith('.cram'));

/** Returns the records that samtools prints of the files of a writer. */
function expectedLines(name: string): string[] {
  return readFileSync(fixturePath(`cram/${name.replace(/-.*/, '.sam')}`), 'latin1')
    .split('\n')
    .slice(0, -1);
}

describe('CRAM files of htslib, htsjdk and noodles', () => {
  test('include files of each writer', () => {
    expect(new Set(files.map((name) => name.replace(/-.*/, '')))).toEqual(new Set(['htslib', 'htsjdk', 'noodles']));
  });

  test.each(files)('decodes %s to the records that samtools prints', async (name) => {
    const { header, records } = await decodeCram(readFixture(`cram/${name}`), { reference });
    const lines = toSamLines(header, records);
    expect(lines).toEqual(expectedLines(name));
    expect(lines.length).toBeGreaterThan(90);
  });

  test.each(files)('rejects %s without its reference, and names the MD5', async (name) => {
    const error = await rejection(decodeCram(readFixture(`cram/${name}`)));
    expect(error).toMatchObject({ name: 'FormatError', code: 'MISSING_REFERENCE' });
    expect(String(error)).toContain('MD5 fe785a241d1b4693a312935effb31b74');
    const absent = await rejection(decodeCram(readFixture(`cram/${name}`), { reference: async () => undefined }));
    expect(absent).toMatchObject({ code: 'MISSING_REFERENCE' });
  });

  // Only slices of one reference have the MD5 of their bases.
  test.each(['htslib-2.1.cram', 'htslib-3.0.cram', 'htsjdk-3.0.cram'])(
    'rejects %s with other reference bases',
    async (name) => {
      const error = await rejection(
        decodeCram(readFixture(`cram/${name}`), {
          reference: async ({ start, end }) => new Uint8Array(end - start).fill(0x41),
        }),
      );
      expect(error).toMatchObject({ code: 'REFERENCE_MISMATCH' });
    },
  );

  test('asks for the bases that a slice spans', async () => {
    const requests: unknown[] = [];
    await decodeCram(readFixture('cram/htslib-3.0.cram'), {
      reference: (request) => {
        requests.push({ ...request, signal: undefined });
        return reference(request);
      },
    });
    const md5 = 'fe785a241d1b4693a312935effb31b74';
    expect(requests[0]).toMatchObject({ name: 'one', length: 30_000, md5 });
    expect(requests.length).toBeGreaterThan(2);
  });
});
