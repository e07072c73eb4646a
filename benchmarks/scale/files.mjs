// The files that are served: reads of 0.7 Mb at 30-fold coverage as BAM and CRAM, a FASTA, and copies of an index of a whole genome.
import { createHash } from 'node:crypto';
import { linkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINE_LENGTH, makeFastaLike, spell } from '../fasta-like.mjs';
import { findCommand, runCommand } from '../installed-command.mjs';
import { writeFiles } from '../server/files.mjs';
import { writeBam } from '../write-bam.mjs';

const READS_BYTES = 50_000_000;
/** The bases that the reads cover. */
export const READS_END = 690_000;
/** Lines of the FASTA file: 6 MB. */
const LINES = 100_000;

/**
 * Writes the files. `copies` is the number of whole genomes, each of which the server opens once. Returns the MD5 and the length of the
 * sequence, and whether there is a CRAM file, which needs samtools.
 */
export async function writeScaleFiles(folder, { copies }) {
  await writeBam(folder, 'sample', { length: READS_BYTES, count: 0 });
  if (copies > 0) writeGenomes(folder, copies);
  const lines = makeFastaLike(LINES * LINE_LENGTH, 7);
  writeFileSync(join(folder, 'sequence.fa'), Buffer.concat([Buffer.from('>sequence\n'), lines]));
  const bases = spell(lines);
  return {
    sequence: { md5: createHash('md5').update(bases).digest('hex'), length: bases.length },
    hasCram: await writeCram(folder),
  };
}

function writeGenomes(folder, copies) {
  const { genome, index } = writeFiles(folder);
  for (let copy = 0; copy < copies; copy += 1) {
    linkSync(genome, join(folder, `genome${copy}.bam`));
    linkSync(index, join(folder, `genome${copy}.bam.bai`));
  }
}

/** Writes the reads as CRAM, which needs no reference. */
async function writeCram(folder) {
  const samtools = findCommand('samtools', 'to write CRAM');
  if (samtools === undefined) return false;
  const path = join(folder, 'archive.cram');
  // The header of the generated file lacks its read groups.
  const options = ['-C', '-x', 'RG', '--output-fmt-option', 'no_ref=1', '-o', path];
  await runCommand(samtools.command, ['view', ...options, join(folder, 'sample.bam')]);
  await runCommand(samtools.command, ['index', path]);
  return true;
}
