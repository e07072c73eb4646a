import type { TabixFormat } from '@htskit/indexes';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addIdentity, addQuiet, threadsOption, withInterrupt } from '../command-line.js';
import type { IndexFlags } from './index-files.js';

const PRESETS: readonly TabixFormat[] = ['gff', 'bed', 'sam', 'vcf'];
const MAX_MIN_SHIFT = 30;

const NOTES = `
BAM gets a BAI, CRAM a CRAI, BCF a CSI, VCF a TBI, and FASTA a FAI, with a GZI if
it is bgzipped. With --coverage, BAM and CRAM get a bigWig file of their depth,
FILE.coverage.bw, in place of an index: what a browser draws while it is zoomed
out. The paths of the files are printed on stdout.

The index of a file that is encrypted by Crypt4GH is encrypted for the owner of the
key, too, as FILE.bai.c4gh; an output whose name does not end with .c4gh is plain.

Examples:
  htskit index reads.bam variants.vcf.gz
  htskit index --preset gff --csi genes.gff.gz -o genes.csi
  htskit index --coverage reads.bam
  htskit index --identity server.sec reads.bam.c4gh

Exit codes: 0, 1 (a file could not be indexed; the others were), 2 (usage).`;

/** Adds `htskit index`. It indexes all files, and exits with 1 if any of them failed. */
export function addIndexCommand(program: Command): void {
  const indexing = program
    .command('index')
    .description('index BAM, CRAM, BCF, FASTA, bgzipped VCF and other bgzipped text files')
    .argument('<FILE...>', 'files to index; their formats are detected');
  const command = addIdentity(addQuiet(indexing))
    .option('-o, --output <file>', 'path of the index of a single file (default: beside it)', parseOutput)
    .option('--csi', 'write CSI in place of BAI or TBI', false)
    .option('--min-shift <bits>', 'write CSI whose smallest bins span 2^bits bases', parseMinShift)
    .addOption(new Option('--preset <format>', 'columns of bgzipped text other than VCF').choices(PRESETS))
    .addOption(
      new Option('--coverage', 'write the depth of BAM or CRAM as bigWig, FILE.coverage.bw, in place of an index')
        .default(false)
        .conflicts(['csi', 'minShift', 'preset']),
    )
    .option('-f, --force', 'overwrite an existing index, or coverage', false)
    .addOption(threadsOption('threads that inflate (default: one for each processor)'))
    .addHelpText('after', NOTES);
  command.action(async (paths: string[], flags: IndexFlags) => {
    if (flags.output !== undefined && paths.length > 1) command.error('error: --output requires a single file');
    const { indexFiles } = await import('./index-files.js');
    if (await withInterrupt((signal) => indexFiles(paths, flags, signal))) process.exitCode = 1;
  });
}

function parseOutput(path: string): string {
  if (path !== '' && path !== '-') return path;
  throw new InvalidArgumentError('expected a file name; use ./- for a file named -.');
}

function parseMinShift(text: string): number {
  const shift = Number(text);
  if (/^\d+$/.test(text) && shift >= 1 && shift <= MAX_MIN_SHIFT) return shift;
  throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_MIN_SHIFT}.`);
}
