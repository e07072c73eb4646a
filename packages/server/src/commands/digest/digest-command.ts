import type { Command } from 'commander';
import { STDIN } from '../../files/standard-streams.js';
import { addIdentity, charactersOption, withInterrupt } from '../command-line.js';
import type { DigestFlags } from './print-digests.js';

const NOTES = `
Prints one line per sequence, in file order: name, length, MD5, sha512t24u (SQ.)
and TRUNC512, separated by tabs. As in refget, the digests are of the upper-case
letters without white space. A sequence that holds anything else, such as the * of
a protein, is reported. --characters sam includes it, so that the MD5 is what
samtools dict writes as M5; strict refuses the file. A truncated file is refused:
one compressed by bgzip without its EOF marker, or one that is shorter than the
.fai or .gzi beside it says.

With --collection it prints the sequence collection that each file forms instead:
lines of file, attribute and digest. The first one is the digest of the collection
(level 0), the others are those of its attributes (level 1).

Examples:
  htskit digest genome.fa.gz
  htskit digest --json a.fa b.fa > digests.json
  htskit digest --collection genome.fa.gz
  htskit digest --characters sam proteins.fa
  zstd -dc genome.fa.zst | htskit digest -

Exit codes: 0, 1 (a file failed; the others are complete), 2 (usage).`;

/** Adds `htskit digest`. */
export function addDigestCommand(program: Command): void {
  const digesting = program
    .command('digest')
    .description('compute the refget digests of the sequences of FASTA files, and of their collections')
    .argument('<FASTA...>', 'files, plain or compressed by bgzip or gzip; - is stdin');
  const command = addIdentity(digesting)
    .option('--collection', 'print the digests of the sequence collection of each file', false)
    .option('--json', 'print JSON', false)
    .addOption(charactersOption())
    .addHelpText('after', NOTES);
  command.action(async (paths: string[], flags: DigestFlags) => {
    if (paths.filter((path) => path === STDIN).length > 1) command.error('error: - may be given only once');
    const { printDigests } = await import('./print-digests.js');
    await withInterrupt((signal) => printDigests(paths, flags, signal));
  });
}
