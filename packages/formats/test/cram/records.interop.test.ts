import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bgunzip, fixtureNames, fixturePath } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { createBamFilter, parseBamHeader } from '../../src/index.js';
import { bamRecordLength } from '../../src/internal.js';
import { decodeCram, fastaSource } from './decode-cram.js';
import { type RandomSamOptions, randomSam } from './random-sam.js';
import { toBam } from './record/decode-slices.js';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function samtools(...args: string[]): Buffer {
  return execFileSync('samtools', args, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 29 });
}

/** Returns the uncompressed BAM records that samtools makes of a CRAM file. */
function bamRecords(path: string, reference: readonly string[]): Buffer {
  const data = bgunzip(samtools('view', '-u', '--no-PG', ...reference, path));
  return Buffer.from(data.subarray(parseBamHeader(data).byteLength));
}

/** Returns the records of SAM text. */
function linesOf(sam: Buffer | string): string[] {
  return sam
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('@'));
}

function split(records: Buffer): string[] {
  const all: string[] = [];
  for (let at = 0; at < records.length; ) {
    const length = bamRecordLength(records, at) ?? Number.POSITIVE_INFINITY;
    all.push(records.toString('latin1', at, at + length));
    at += length;
  }
  return all;
}

/** Checks that a CRAM file decodes to the records that samtools makes of it, byte for byte, and returns their number. */
async function compare(path: string, fasta: string | undefined): Promise<number> {
  const options = fasta === undefined ? {} : { reference: fastaSource(fasta) };
  const { records } = await decodeCram(readFileSync(path), { ...options, namePrefix: basename(path) });
  const expected = bamRecords(path, fasta === undefined ? [] : ['-T', fasta]);
  expect(split(records)).toEqual(split(expected));
  return split(expected).length;
}

const SAMPLES: readonly (readonly [name: string, RandomSamOptions])[] = [
  ['sorted short reads', { seed: 1, templates: 600, readLength: 150, isSorted: true }],
  ['unsorted short reads', { seed: 2, templates: 300, readLength: 100, isSorted: false }],
  ['sorted long reads', { seed: 3, templates: 30, readLength: 9000, isSorted: true }],
];

const FORMATS = [
  ...['2.1', '3.0', '3.1'].flatMap((version) => [
    `version=${version}`,
    `version=${version},embed_ref=1`,
    `version=${version},no_ref=1`,
    `version=${version},multi_seq_per_slice=1,seqs_per_slice=100,slices_per_container=3`,
    `version=${version},lossy_names=1,seqs_per_slice=70`,
  ]),
  ...['fast', 'normal', 'small', 'archive'].flatMap((profile) => [`version=3.0,${profile}`, `version=3.1,${profile}`]),
  'version=3.0,use_bzip2=1,use_lzma=1',
  'version=3.0,store_md=1,store_nm=1',
  'version=3.1,use_arith=1,use_fqz=1,use_tok=1',
];

describe.each(SAMPLES)('CRAM of %s', (name, options) => {
  const { sam, fasta } = randomSam(options);
  const [samPath, fastaPath] = [join(scratch, `${name}.sam`), join(scratch, `${name}.fa`)];
  writeFileSync(samPath, sam);
  writeFileSync(fastaPath, fasta);

  test.each(FORMATS)('decodes to the records of samtools with %s', async (format) => {
    const path = join(scratch, `${name}.${format}.cram`);
    samtools('view', '--no-PG', '-O', `cram,${format}`, '-T', fastaPath, '-o', path, samPath);
    expect(await compare(path, fastaPath)).toBe(linesOf(sam).length);
  });
});

test.each(fixtureNames('.cram'))('decodes %s to the records of samtools', async (name) => {
  expect(await compare(fixturePath(name), fixturePath('genome.fa'))).toBeGreaterThanOrEqual(0);
});

/** Records without bases: mapped, with one or more inserted bases, unmapped but placed, and unplaced. */
const WITHOUT_BASES: readonly (readonly [name: string, records: readonly string[]])[] = [
  ['matches', ['m1 0 chr1 10 30 10M', 'm2 16 chr1 20 30 4M2D4M', 'm3 0 chr1 30 30 *']],
  ['insertions and clips', ['m1 0 chr1 10 30 2S5M2I3M1S', 'm2 16 chr1 20 30 4M1I4M3N2M2H']],
  ['mates', ['p 73 chr1 10 30 10M', 'p 133 chr1 10 0 *', 'u 4 chr1 12 0 *']],
  ['unplaced reads', ['u1 4 * 0 0 *', 'u2 4 * 0 0 *']],
  ['matches and unplaced reads', ['m1 0 chr1 10 30 10M', 'u1 4 chr1 12 0 *', 'u2 4 * 0 0 *']],
];

describe.each(WITHOUT_BASES)('CRAM of %s without bases', (name, records) => {
  const samPath = join(scratch, `${name}.sam`);
  const lines = records.map((record) => [...record.split(' '), '*', '0', '0', '*', '*'].join('\t'));
  writeFileSync(samPath, ['@SQ\tSN:chr1\tLN:1000', ...lines, ''].join('\n'));

  test.each(['2.1', '3.0', '3.1'])(
    'decodes to the records of samtools, whole and by region, in version %s',
    async (version) => {
      const path = join(scratch, `${name}.${version}.cram`);
      samtools('view', '--no-PG', '-O', `cram,version=${version},no_ref=1`, '-o', path, samPath);
      expect(await compare(path, undefined)).toBe(records.length);
      const { records: all } = await decodeCram(readFileSync(path));
      for (const start of [0, 10, 25, 500]) {
        const intervals = [{ referenceId: 0, start, end: start + 5 }];
        const filter = createBamFilter(intervals);
        const expected = Buffer.concat([...filter.push(all), ...filter.finish()]);
        const { records: kept } = await decodeCram(readFileSync(path), { intervals });
        expect(Buffer.compare(kept, expected)).toBe(0);
      }
    },
  );
});

const external = process.env['HTSKIT_EXTERNAL_DATA'] ?? '';
const isPresent = existsSync(external);
const specification = join(external, 'cram-spec');
const ce = join(specification, 'ce.fa');

/** Lists the CRAM files of a folder. */
function cramsOf(folder: string): string[] {
  return isPresent ? readdirSync(folder).filter((name) => name.endsWith('.cram')) : [];
}

describe.skipIf(!isPresent)('CRAM files of other projects', () => {
  test.each(['htsnexus_test_NA12878.cram'])('decodes %s to the records of samtools', async (name) => {
    expect(await compare(join(external, name), undefined)).toBeGreaterThan(30_000);
  });

  test.each(cramsOf(external).filter((name) => name !== 'htsnexus_test_NA12878.cram'))(
    'decodes %s to the records of samtools',
    async (name) => {
      expect(await compare(join(external, name), ce)).toBeGreaterThan(0);
    },
  );

  test.each(['3.0', '3.1'].flatMap((version) => cramsOf(join(specification, version)).map((name) => [version, name])))(
    'decodes %s/%s of the specification to the records of samtools and of its SAM file',
    async (version = '', name = '') => {
      const path = join(specification, version, name);
      await compare(path, ce);
      const sam = path.replace(/cram$/, 'sam');
      if (!existsSync(sam)) return;
      const options = { reference: fastaSource(ce), namePrefix: name, generateMismatchTags: false };
      const { header, records } = await decodeCram(readFileSync(path), options);
      // The files of the specification have some tags in another order, and MD and NM where they were stored.
      const sorted = (line: string): string => {
        const fields = line.split('\t');
        const tags = fields.slice(11).filter((tag) => !/^(MD|NM):/.test(tag));
        return [...fields.slice(0, 11), ...tags.sort()].join('\t');
      };
      const bam = join(scratch, `${version}.${name}.bam`);
      writeFileSync(bam, toBam(header, records));
      expect(linesOf(samtools('view', bam)).map(sorted)).toEqual(linesOf(readFileSync(sam)).map(sorted));
    },
  );
});
