import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HtsgetClientQuery } from '@htskit/client';
import type { HtsgetFormat } from '@htskit/protocol';
import { createRandom, fixturePath, readFixture } from '@htskit/testing';
import { runTool, type ToolCommand } from '../interop-tools.js';

/** An htsget query, and what reads the same records out of the local file. */
export interface FleetCase {
  readonly name: string;
  /** With a query, unless that is one for POST. */
  readonly path: string;
  /** The query of a POST; empty for a GET. */
  readonly query: HtsgetClientQuery;
  /** Prints the records of a file of this kind. */
  readonly view: ToolCommand;
  /** Prints the records of the local file that the query asks for. */
  readonly local: ToolCommand;
  readonly isPresigned: boolean;
}

interface FleetFile {
  readonly file: string;
  readonly path: string;
  readonly index: string;
  readonly datatype: 'reads' | 'variants';
  readonly format: HtsgetFormat;
  /** Regions can be compared: of CRAM, whole containers come. */
  readonly isExact: boolean;
}

const LARGE = 'large.bam';
const REGIONS = [
  { referenceName: 'chr1', start: 5_000, end: 60_000 },
  { referenceName: 'chr2', start: 1_000, end: 30_000 },
];

/** What is uploaded; the large file is in `scratch`. */
export function filesOf(scratch: string): FleetFile[] {
  const rows = [
    [LARGE, '.bai', 'BAM'],
    ['reads.bam', '.bai', 'BAM'],
    ['straddle.bam', '.bai', 'BAM'],
    ['reads.cram', '.crai', 'CRAM'],
    ['v31.cram', '.crai', 'CRAM'],
    ['variants.vcf.gz', '.tbi', 'VCF'],
    ['variants.bcf', '.csi', 'BCF'],
  ] as const;
  return rows.map(([file, index, format]) => {
    const path = file === LARGE ? join(scratch, file) : fixturePath(file);
    const datatype = format === 'BAM' || format === 'CRAM' ? 'reads' : 'variants';
    return { file, path, index: path + index, datatype, format, isExact: format !== 'CRAM' };
  });
}

/** A file that is the only one of its object, and is also answered as BAM. */
const CONVERTED = 'v31.cram';

/**
 * Whole files, a region, and several by POST, each sent by the replicas and by the bucket. The replicas send what is converted.
 */
export function casesOf(files: readonly FleetFile[]): FleetCase[] {
  const stored = files.flatMap((file) => ['', 'presigned/'].flatMap((prefix) => casesOfFile(file, prefix)));
  const converted = files
    .filter(({ file }) => file === CONVERTED)
    .flatMap((file) => casesOfFile({ ...file, format: 'BAM', isExact: true }, ''))
    .map((each) => ({ ...each, name: `${each.name} as BAM` }));
  return [...stored, ...converted];
}

function casesOfFile({ file, path, datatype, format, isExact }: FleetFile, prefix: string): FleetCase[] {
  const [first = { referenceName: '', start: 0, end: 0 }] = REGIONS;
  const view = datatype === 'reads' ? ['samtools', 'view'] : ['bcftools', 'view', '-H'];
  const urlPath = `/${datatype}/${prefix}${file.replace(/\..*/, '')}`;
  const shared = { view, query: {}, isPresigned: prefix !== '' };
  const whole = { ...shared, name: `${prefix}${file}`, path: `${urlPath}?format=${format}`, local: [...view, path] };
  if (!isExact) return [whole];
  const query = `format=${format}&referenceName=${first.referenceName}&start=${first.start}&end=${first.end}`;
  const regions = REGIONS.map(({ referenceName, start, end }) => `${referenceName}:${start + 1}-${end}`);
  const select = (names: readonly string[]): string[] =>
    datatype === 'reads' ? [...view, path, ...names] : [...view, '-r', names.join(), path];
  return [
    whole,
    { ...shared, name: `${whole.name} region`, path: `${urlPath}?${query}`, local: select(regions.slice(0, 1)) },
    {
      ...shared,
      name: `${whole.name} regions`,
      path: urlPath,
      query: { format, regions: REGIONS },
      local: select(regions),
    },
  ];
}

const RECORDS = 12_000;
const READ_LENGTH = 1000;
const POOL_LENGTH = 100_000;

/** A BAM of some 18 MB that is not compressed: more than the sockets between a replica and a client hold. */
export async function writeLargeBam(scratch: string): Promise<void> {
  const path = join(scratch, LARGE);
  const sam = join(scratch, 'large.sam');
  await pipeline(Readable.from(samLines()), createWriteStream(sam));
  await runTool(['samtools', 'view', '-u', '-o', path, sam]);
  await runTool(['samtools', 'index', path]);
  if (!existsSync(`${path}.bai`)) throw new Error('samtools wrote no index');
}

function* samLines(): Generator<string, void> {
  const random = createRandom(8);
  const pool = (letters: string): string =>
    Array.from({ length: POOL_LENGTH }, () => letters[Math.floor(random() * letters.length)]).join('');
  const [bases, qualities] = [pool('ACGT'), pool('#,-5:AFI')];
  const pick = (text: string): string => {
    const start = Math.floor(random() * (POOL_LENGTH - READ_LENGTH));
    return text.slice(start, start + READ_LENGTH);
  };
  yield '@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:150000\n@SQ\tSN:chr2\tLN:40000\n';
  for (let rank = 0; rank < RECORDS; rank++) {
    const [name, length] = rank < RECORDS * 0.8 ? ['chr1', 150_000] : ['chr2', 40_000];
    const part = rank < RECORDS * 0.8 ? rank / (RECORDS * 0.8) : (rank - RECORDS * 0.8) / (RECORDS * 0.2);
    const position = 1 + Math.floor(part * (length - READ_LENGTH));
    yield `read${rank}\t0\t${name}\t${position}\t60\t${READ_LENGTH}M\t*\t0\t0\t${pick(bases)}\t${pick(qualities)}\n`;
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The records of a download, as its tool prints them. */
export async function viewBytes({ view }: FleetCase, bytes: Uint8Array, path: string): Promise<string> {
  await writeFile(path, bytes);
  return runTool([...view, path]);
}

export interface FleetSequence {
  /** Its MD5, which is its id. */
  readonly md5: string;
  readonly bases: string;
}

/** The sequences of a FASTA among the fixtures, as refget has them. */
export function sequencesOf(fasta: string): FleetSequence[] {
  const records = new TextDecoder().decode(readFixture(fasta)).split('>').slice(1);
  return records.map((record) => {
    const bases = record.slice(record.indexOf('\n')).replaceAll(/\s/g, '').toUpperCase();
    return { md5: createHash('md5').update(bases).digest('hex'), bases };
  });
}
