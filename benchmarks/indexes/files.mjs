// Writes the indexes into a folder. BGZF indexes get a data file with nothing but the header, which htslib requires.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { ALIGNMENTS, makeBinnedFile, VARIANTS } from './binned-file.mjs';
import { formatBai, formatCsi, formatTbi } from './binning-bytes.mjs';
import { formatCraiText, makeCramSlices } from './cram-slices.mjs';
import { REFERENCES } from './references.mjs';

/** Returns, by format, the paths of the data and of the index, and the model of the index. */
export function writeIndexes(folder) {
  const write = (name, bytes) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const alignments = makeBinnedFile(ALIGNMENTS);
  const variants = makeBinnedFile(VARIANTS);
  const slices = makeCramSlices();
  const bam = write('genome.bam', bgzip(bamHeader()));
  const vcf = write('genome.vcf.gz', bgzip(Buffer.from(vcfHeader())));
  return {
    BAI: { file: alignments, paths: { data: bam, index: write('genome.bam.bai', formatBai(alignments)) } },
    CSI: { file: alignments, paths: { data: bam, index: write('genome.bam.csi', bgzip(formatCsi(alignments))) } },
    TBI: { file: variants, paths: { data: vcf, index: write('genome.vcf.gz.tbi', bgzip(formatTbi(variants))) } },
    CRAI: { slices, paths: { index: write('genome.cram.crai', gzipSync(formatCraiText(slices))) } },
  };
}

function bgzip(bytes) {
  return Buffer.concat([deflateBlocks(bytes), EOF_MARKER]);
}

/** A header without text (SAMv1 §4.2). */
function bamHeader() {
  const references = REFERENCES.map(({ name, length }) => {
    const entry = Buffer.alloc(name.length + 9);
    entry.writeUInt32LE(name.length + 1, 0);
    entry.write(name, 4);
    entry.writeUInt32LE(length, name.length + 5);
    return entry;
  });
  return Buffer.concat([Buffer.from('BAM\x01'), toWord(0), toWord(REFERENCES.length), ...references]);
}

function toWord(value) {
  const word = Buffer.alloc(4);
  word.writeUInt32LE(value);
  return word;
}

function vcfHeader() {
  const contigs = REFERENCES.map(({ name, length }) => `##contig=<ID=${name},length=${length}>\n`);
  return `##fileformat=VCFv4.3\n${contigs.join('')}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n`;
}
