import { createHash } from 'node:crypto';
import {
  checkMutations,
  expectations,
  fixtureNames,
  fixturePath,
  type MutationOutcomes,
  readFixture,
} from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  AlignmentRecord,
  type CramHeader,
  createCramDecoder,
  FormatError,
  parseCramContainerHeader,
  parseCramHeader,
} from '../../../src/index.js';
import { CRAM_2_1, headerOf, uncompressed, withoutChecksums } from '../build-cram.js';
import { decodeCram, fastaSource } from '../decode-cram.js';
import { rejection, toSamLines } from './decode-slices.js';

const reference = fastaSource(fixturePath('genome.fa'));
const smallReference = fastaSource(fixturePath('cram/records.fa'));

/** Checks that every field and tag of the records can be read, by this package and by an independent decoder. */
function checkRecords(header: CramHeader, records: Uint8Array): void {
  const lines: string[] = [];
  const record = new AlignmentRecord();
  for (let at = 0; at < records.length; at = record.byteEnd) lines.push(record.at(records, at).toSam(header));
  expect(toSamLines(header, records)).toHaveLength(lines.length);
}

/** Decodes damaged copies of the first slice of a fixture, and checks the records that are accepted. */
async function mutate(name: string, convert: typeof uncompressed): Promise<MutationOutcomes> {
  const bytes = readFixture(name);
  const header = parseCramHeader(bytes);
  const { version } = header;
  const container = parseCramContainerHeader(bytes.subarray(header.byteLength), { version });
  if (container === undefined) throw new Error('the fixture is truncated');
  const blocks = bytes.subarray(header.byteLength + container.headerLength);
  const [landmark = 0, end = container.length] = container.landmarks;
  const compression = convert(blocks.subarray(0, landmark), version);
  const plain = Uint8Array.from([...compression, ...convert(blocks.subarray(landmark, end), version)]);
  // CRAM 2.1 has no checksums, which would detect all damage.
  const decoder = createCramDecoder({
    header: { ...header, version: CRAM_2_1 },
    reference: smallReference,
    limits: { containerBytes: 2 ** 24 },
  });
  const check = async (data: Uint8Array): Promise<boolean> => {
    const landmarks = compression.length < data.length ? [compression.length] : [];
    try {
      for await (const records of decoder.decode(data, { header: headerOf(data.length, landmarks) })) {
        checkRecords(header, records);
      }
      return true;
    } catch (error) {
      if (error instanceof FormatError) return false;
      throw error;
    }
  };
  expect(await check(plain)).toBe(true);
  return checkMutations(plain, { seed: 5, count: 100, check });
}

describe('createCramDecoder', () => {
  test.each(fixtureNames('.cram'))(
    'decodes the records that samtools prints of %s without generated tags',
    async (name) => {
      const { header, records } = await decodeCram(readFixture(name), { generateMismatchTags: false });
      const text = toSamLines(header, records).map((line) => `${line}\n`);
      expect(createHash('sha256').update(text.join(''), 'latin1').digest('hex')).toBe(expectations(name).textSha256);
    },
  );

  test('bounds what a container decodes to', async () => {
    const limited = (containerBytes: number): Promise<unknown> =>
      rejection(decodeCram(readFixture('reads.cram'), { reference, limits: { containerBytes } }));
    expect(await limited(50_000)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await limited(50_000_000)).toBeUndefined();
  });

  test('ends when its signal is aborted', async () => {
    const bytes = readFixture('v31.cram');
    const header = parseCramHeader(bytes);
    const container = parseCramContainerHeader(bytes.subarray(header.byteLength), { version: header.version });
    if (container === undefined) throw new Error('the fixture is truncated');
    const start = header.byteLength + container.headerLength;
    const records = createCramDecoder({ header }).decode(bytes.subarray(start, start + container.length), {
      header: container,
      signal: AbortSignal.abort(new Error('enough')),
    });
    expect(await rejection(records.next())).toMatchObject({ message: 'enough' });
  });

  test.each(['htslib-2.1.cram', 'htslib-3.0.cram', 'htslib-3.1.cram', 'htsjdk-3.0.cram', 'noodles-3.1.cram'])(
    'decodes or rejects damaged records of %s',
    async (name) => {
      const { accepted, refused } = await mutate(`cram/${name}`, uncompressed);
      expect(accepted).toBeGreaterThan(3);
      expect(refused).toBeGreaterThan(20);
    },
  );

  test.each(['htslib-3.0.cram', 'htslib-3.1.cram', 'htsjdk-3.0.cram', 'noodles-3.1.cram'])(
    'decodes or rejects damaged blocks of %s',
    async (name) => {
      const { refused } = await mutate(`cram/${name}`, withoutChecksums);
      expect(refused).toBeGreaterThan(50);
    },
  );
});
