import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, fixturePath } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { indexBam, indexBcf, indexTabix, indexVcf } from '../../src/index.js';
import { uncompressed } from '../support/index-bytes.js';
import { type Draw, type RandomFile, randomGff, randomSam, randomVcf } from '../support/random-files.js';

const folder = mkdtempSync(join(tmpdir(), 'htskit-build-'));
const index = join(folder, 'theirs');

afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, args: readonly string[], input?: string | Uint8Array): Buffer {
  return execFileSync(command, args, { input, maxBuffer: 2 ** 30, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** Whether our index and that of the tool are equal when uncompressed. */
async function isSame(ours: Promise<Uint8Array>, theirs: string = index): Promise<boolean> {
  return Buffer.compare(uncompressed(await ours), uncompressed(new Uint8Array(readFileSync(theirs)))) === 0;
}

async function isSameBam(path: string, shift: number | 'BAI'): Promise<boolean> {
  run('samtools', ['index', ...(shift === 'BAI' ? ['-b'] : ['-c', '-m', `${shift}`]), path, index]);
  const options = shift === 'BAI' ? ({ format: 'BAI' } as const) : { minShift: shift };
  return isSame(indexBam(createReadStream(path), options));
}

async function isSameVcf(path: string, shift: number | 'TBI'): Promise<boolean> {
  run('bcftools', ['index', '-f', ...(shift === 'TBI' ? ['-t'] : ['-m', `${shift}`]), '-o', index, path]);
  const options = shift === 'TBI' ? {} : { minShift: shift };
  return isSame(indexVcf(createReadStream(path), options));
}

async function isSameBcf(path: string, minShift: number): Promise<boolean> {
  run('bcftools', ['index', '-f', '-m', `${minShift}`, '-o', index, path]);
  return isSame(indexBcf(createReadStream(path), { minShift }));
}

function seeded(seed: number): Draw {
  const random = createRandom(seed);
  return (limit) => Math.floor(random() * limit);
}

const SHORT: RandomFile = {
  references: [
    ['one', 200_000_000],
    ['two', 2 ** 29],
    ['three', 16_384],
    ['four', 1],
  ],
  recordsPerReference: 20_000,
};
const LONG: RandomFile = {
  references: [
    ['long', 2 ** 31 - 1],
    ['next', 700_000_000],
  ],
  recordsPerReference: 20_000,
};
const MANY: RandomFile = {
  references: Array.from({ length: 500 }, (_, i) => [`scaffold${i}`, 1000 + 700 * i] as const),
  recordsPerReference: 60,
};

function write(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

interface RandomCase {
  readonly name: string;
  readonly file: RandomFile;
  readonly bamShifts: readonly (number | 'BAI')[];
  readonly vcfShifts: readonly (number | 'TBI')[];
}

const CASES: readonly RandomCase[] = [
  { name: 'short', file: SHORT, bamShifts: ['BAI', 14, 12, 9, 5, 18, 29], vcfShifts: ['TBI', 14, 12, 9, 20] },
  { name: 'long', file: LONG, bamShifts: [14, 12, 9, 7, 20], vcfShifts: [14, 12, 9, 20] },
  { name: 'many', file: MANY, bamShifts: ['BAI', 14, 6, 3, 30], vcfShifts: ['TBI', 14, 6] },
];

describe.each(CASES)('$name references', ({ name, file, bamShifts, vcfShifts }) => {
  const bam = write(`${name}.bam`, run('samtools', ['view', '-b'], randomSam(seeded(file.recordsPerReference), file)));
  const text = randomVcf(seeded(file.recordsPerReference), file);
  const vcf = write(`${name}.vcf.gz`, run('bgzip', ['-c'], text));
  const bcf = write(`${name}.bcf`, run('bcftools', ['view', '-Ob'], text));

  test.each(bamShifts)('samtools index writes the same of BAM: %s', async (shift) => {
    expect(await isSameBam(bam, shift)).toBe(true);
  });
  test.each(vcfShifts)('bcftools index writes the same of VCF: %s', async (shift) => {
    expect(await isSameVcf(vcf, shift)).toBe(true);
  });
  test.each([14, 12, 9])('bcftools index writes the same of BCF: %s', async (shift) => {
    expect(await isSameBcf(bcf, shift)).toBe(true);
  });
});

test.each([[[]], [['-C']], [['-C', '-m', '10']]])(
  'tabix %j writes the same of GFF',
  async (args: readonly string[]) => {
    const gff = write(
      'some.gff.gz',
      run('bgzip', ['-c'], `${randomGff(seeded(3), SHORT)}##FASTA\n>one\n${'ACGT\n'.repeat(500)}`),
    );
    run('tabix', ['-f', '-p', 'gff', ...args, gff]);
    const format = args.length > 0 ? 'CSI' : 'TBI';
    const options = { settings: 'gff', format, ...(args.includes('-m') && { minShift: 10 }) } as const;
    expect(await isSame(indexTabix(createReadStream(gff), options), `${gff}.${format.toLowerCase()}`)).toBe(true);
  },
);

test('tabix writes the same of SAM and BED', async () => {
  const sam = write('some.sam.gz', run('bgzip', ['-c'], randomSam(seeded(4), SHORT)));
  run('tabix', ['-f', '-p', 'sam', sam]);
  expect(await isSame(indexTabix(createReadStream(sam), { settings: 'sam' }), `${sam}.tbi`)).toBe(true);
  run('tabix', ['-f', '-C', '-p', 'sam', sam]);
  expect(await isSame(indexTabix(createReadStream(sam), { settings: 'sam', format: 'CSI' }), `${sam}.csi`)).toBe(true);
  const text = randomGff(seeded(5), SHORT).replaceAll(/^(\w+)\tx\tgene\t(\d+)\t(\d+).*$/gm, '$1\t$2\t$3\tx');
  const bed = write('some.bed.gz', run('bgzip', ['-c'], text));
  run('tabix', ['-f', '-p', 'bed', bed]);
  expect(await isSame(indexTabix(createReadStream(bed), { settings: 'bed' }), `${bed}.tbi`)).toBe(true);
});

test('tabix writes the same names if they are not UTF-8', async () => {
  const text = Buffer.from('\xe9\t1\t2\n\xe8\t+5\t6\nc\t1\t2\n', 'latin1');
  const bed = write('latin.bed.gz', run('bgzip', ['-c'], text));
  run('tabix', ['-f', '-p', 'bed', bed]);
  expect(await isSame(indexTabix(createReadStream(bed), { settings: 'bed' }), `${bed}.tbi`)).toBe(true);
});

test('tabix writes the same for custom columns, skipped lines and a meta character', async () => {
  const text = randomGff(seeded(6), SHORT).replaceAll(/^(\w+)\tx\tgene\t(\d+)\t(\d+).*$/gm, '$2\tx\t$3\t$1');
  const path = write('some.txt.gz', run('bgzip', ['-c'], `start\tx\tend\tname\n${text.replaceAll('#', '%')}`));
  run('tabix', ['-f', '-s', '4', '-b', '1', '-e', '3', '-S', '1', '-c', '%', '-0', path]);
  const settings = {
    preset: 'generic',
    isZeroBased: true,
    sequenceColumn: 4,
    startColumn: 1,
    endColumn: 3,
    metaCharacter: 0x25,
    skippedLines: 1,
  } as const;
  expect(await isSame(indexTabix(createReadStream(path), { settings }), `${path}.tbi`)).toBe(true);
});

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const folders = [fixturePath('.'), ...(external === undefined ? [] : [external])];
/** HTSlib rejects the extra subfields of its blocks. */
const UNREADABLE = 'extra-subfield.bam';

describe.each(
  folders.flatMap((path) =>
    readdirSync(path)
      .filter((name) => /\.(?:bam|bcf|vcf\.gz)$/.test(name) && name !== UNREADABLE)
      .map((name) => [name, join(path, name)] as const),
  ),
)('%s', (name, path) => {
  async function isSameAsTheirs(shift: number | undefined): Promise<boolean> {
    if (name.endsWith('.bam')) return isSameBam(path, shift ?? 'BAI');
    if (name.endsWith('.vcf.gz')) return isSameVcf(path, shift ?? 'TBI');
    return shift === undefined || isSameBcf(path, shift);
  }

  test.each([14, 12])('the tools write the same CSI: %s', async (shift) => {
    expect(await isSameAsTheirs(shift)).toBe(true);
  });

  // A reference of longref.bam is too long for BAI.
  test.each(name === 'longref.bam' ? [] : ['BAI or TBI'])('the tools write the same %s', async () => {
    expect(await isSameAsTheirs(undefined)).toBe(true);
  });
});
