import { type Command, InvalidArgumentError } from 'commander';
import { addIdentity, addQuiet, charactersOption, threadsOption, withInterrupt } from '../command-line.js';
import type { PrepareFlags } from './prepare-locations.js';
import type { Share } from './share.js';

/** The variables with the index of a pod of an Indexed Job of Kubernetes, and of a child of an array job of AWS Batch. */
const INDEX_VARIABLES = ['JOB_COMPLETION_INDEX', 'AWS_BATCH_JOB_ARRAY_INDEX'];
const MAX_JOBS = 1024;
const MAX_SHARES = 100_000;

const NOTES = `
A location is a folder, s3://BUCKET/PREFIX, or a file in one. What is made lies beside each
file: indexes, FILE.coverage.bw, and the digests of FASTA and 2bit files in folders. What
exists and is of the current version of its file is kept, so that a run that was
interrupted can be repeated. Files are read once and never copied to this machine. Several
processes may work on one location: none replaces what another has made.

Each file gets a line on stdout: made, current or failed; its name; what was made, or why
it failed. --report writes the same as JSON, one object per line, and a last one with the
counts. The temporary file of a coverage is in TMPDIR.

Examples:
  htskit prepare /data
  htskit prepare s3://cohort/reads --index --coverage --report prepared.jsonl
  htskit prepare s3://cohort --share 0/8
  htskit prepare s3://cohort --shares 8       # JOB_COMPLETION_INDEX is the share

Exit codes: 0, 1 (a file could not be prepared; the others were), 2 (usage).`;

interface CommandFlags extends Omit<PrepareFlags, 'share' | 'jobs'> {
  readonly jobs?: number;
  readonly share?: Share;
  readonly shares?: number;
}

/** Adds `htskit prepare`. It prepares all files, and exits with 1 if any of them failed. */
export function addPrepareCommand(program: Command): void {
  const preparing = program
    .command('prepare')
    .description('make the indexes, coverage, digests and checksums of files in folders and buckets')
    .argument('<LOCATION...>', 'folders, s3://BUCKET/PREFIX, or files in them');
  const command = addIdentity(addQuiet(preparing))
    .option('--index', 'make indexes (default, unless another kind is named)', false)
    .option('--coverage', 'make the depth of BAM and CRAM as bigWig, FILE.coverage.bw', false)
    .option('--digests', 'make the digests of FASTA and 2bit files in folders, as htskit serve keeps them', false)
    .option('--checksums', 'compute the SHA-256 and MD5 of each file into --cache, as DRS answers them', false)
    .option('--cache <dir>', 'folder of checksums and digests: refget.cache of the configuration')
    .addOption(charactersOption())
    .option('-T, --reference <location>', 'bases of CRAM: FASTA, 2bit, sequence store, or URL of a refget server')
    .option('-j, --jobs <n>', 'files at once (default: one for each processor)', parseCount(MAX_JOBS))
    .addOption(threadsOption('threads that inflate (default: one for each processor)'))
    .option('--share <i/n>', 'prepare share i, from 0, of n; a file is in one share', parseShare)
    .option('--shares <n>', `like --share, where i is ${INDEX_VARIABLES.join(' or ')}`, parseCount(MAX_SHARES))
    .option('--report <file>', 'write the outcome of each file as JSON lines')
    .addHelpText('after', NOTES);
  command.action(async (locations: string[], { shares, share, ...flags }: CommandFlags) => {
    const { prepareLocations } = await import('./prepare-locations.js');
    const { availableParallelism } = await import('node:os');
    const options = { jobs: availableParallelism(), ...flags, share: share ?? shareOfEnvironment(shares, command) };
    if (await withInterrupt((signal) => prepareLocations(locations, options, signal))) process.exitCode = 1;
  });
}

function parseCount(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= 1 && count <= max) return count;
    throw new InvalidArgumentError(`expected a whole number from 1 to ${max}.`);
  };
}

function parseShare(text: string): Share {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index !== undefined && count !== undefined && index < count && count <= MAX_SHARES) return { index, count };
  throw new InvalidArgumentError(`expected I/N with 0 ≤ I < N ≤ ${MAX_SHARES}.`);
}

/** Returns the share of this process among several. Ends the command with a usage error without its index. */
function shareOfEnvironment(count: number | undefined, command: Command): Share | undefined {
  if (count === undefined) return undefined;
  const index = INDEX_VARIABLES.map((name) => process.env[name]).find((text) => text !== undefined && text !== '');
  if (index === undefined) {
    command.error(`error: --shares requires ${INDEX_VARIABLES.join(' or ')}; use --share I/N`);
  }
  if (/^\d+$/.test(index) && Number(index) < count) return { index: Number(index), count };
  command.error(`error: the index of this process is "${index}", which is not below --shares ${count}`);
}
