// Alignments of short and of long reads, as BAM and CRAM.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createSamToBam, parseSamHeader } from '@htskit/formats';
import { indexBam } from '@htskit/indexes';
import { runCommand } from '../../installed-command.mjs';
import { LONG, makeGenome, makeReads, SHORT } from './reads.mjs';

/** Reads and bases at scale 1, a quarter of what a long run measures. */
const COUNTS = { short: 100_000, long: 1000, genome: 3_000_000 };
/** MD and NM are stored, because @gmod/cram does not generate them. */
const OPTIONS = ['store_md=1', 'store_nm=1'].flatMap((option) => ['--output-fmt-option', option]);

/**
 * Writes the files, or with `isShort` only those of short reads as BAM and CRAM 3.0. Returns their paths, the numbers of reads, and
 * the length of the genome. The CRAM files need `samtools`.
 */
export async function writeAlignments(folder, { scale, samtools, isShort = false }) {
  const genome = makeGenome(COUNTS.genome * scale);
  const paths = { genome: join(folder, 'genome.fa') };
  writeFileSync(paths.genome, Buffer.concat([Buffer.from('>chr1\n'), genome, Buffer.from('\n')]));
  writeFileSync(`${paths.genome}.fai`, `chr1\t${genome.length}\t6\t${genome.length}\t${genome.length + 1}\n`);
  const counts = { short: COUNTS.short * scale, long: COUNTS.long * scale };
  paths.short = await writeBam(join(folder, 'short.bam'), genome, { count: counts.short, kind: SHORT });
  if (!isShort) paths.long = await writeBam(join(folder, 'long.bam'), genome, { count: counts.long, kind: LONG });
  if (samtools === undefined) return { paths, counts, length: genome.length };
  const crams = [
    ['shortCram', paths.short, '3.0'],
    ['shortCram31', paths.short, '3.1'],
    ['longCram', paths.long, '3.1'],
  ];
  for (const [name, bam, version] of isShort ? crams.slice(0, 1) : crams) {
    paths[name] = join(folder, `${name}.cram`);
    const format = ['-C', '--output-fmt-option', `version=${version}`, ...OPTIONS];
    await runCommand(samtools.command, ['view', ...format, '-T', paths.genome, '-o', paths[name], bam]);
    await runCommand(samtools.command, ['index', paths[name]]);
  }
  return { paths, counts, length: genome.length };
}

async function writeBam(path, genome, { count, kind }) {
  const header = parseSamHeader(Buffer.from(headerText(genome.length)));
  const converter = createSamToBam(header);
  const blocks = [deflateBlocks(converter.header)];
  const lines = makeReads(genome, count, kind);
  for (let at = 0; at < lines.length; at += 1000) {
    const pieces = converter.push(Buffer.from(lines.slice(at, at + 1000).join(''), 'latin1'));
    for (const piece of pieces) blocks.push(deflateBlocks(piece));
  }
  const bytes = Buffer.concat([...blocks, EOF_MARKER]);
  writeFileSync(path, bytes);
  writeFileSync(`${path}.bai`, await indexBam([bytes]));
  return path;
}

function headerText(length) {
  return `@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:${length}\n@RG\tID:sample\tSM:sample\n`;
}
