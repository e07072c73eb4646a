import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { indexBam } from '@htskit/indexes';
import { writeIndexes } from './indexes/files.mjs';
import { writeBam } from './write-bam.mjs';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const REFERENCES = 1_000_000;
const CRAI_LINES = 1_000_000;
const HEADER_LINES = 400_000;

/** Writes files and indexes of unusual sizes into a folder, to be served as `/reads/NAME` and `/variants/NAME`. */
export async function writeUnusualFiles(folder) {
  await writeBam(folder, 'reads', { length: 20_000_000, count: 1, longest: 1000 });
  const genome = mkdtempSync(join(tmpdir(), 'htskit-genome-'));
  const { BAI, CSI, TBI } = writeIndexes(genome);
  const copy = ({ data, index }, name, extension) => {
    copyFileSync(data, join(folder, name));
    copyFileSync(index, join(folder, name + extension));
  };
  copy(BAI.paths, 'bai.bam', '.bai');
  copy(CSI.paths, 'csi.bam', '.csi');
  copy(TBI.paths, 'tbi.vcf.gz', '.tbi');
  rmSync(genome, { recursive: true });
  copyFileSync(join(FIXTURES, 'reads.cram'), join(folder, 'crai.cram'));
  writeFileSync(join(folder, 'crai.cram.crai'), '0\t1\t1\t1\t1\t1\n'.repeat(CRAI_LINES));
  const references = bgzip(manyReferences());
  writeFileSync(join(folder, 'references.bam'), references);
  writeFileSync(join(folder, 'references.bam.bai'), await indexBam([references]));
  const contigs = Array.from({ length: HEADER_LINES }, (_, id) => `##contig=<ID=contig${id},length=1000>\n`).join('');
  const header = `##fileformat=VCFv4.3\n${contigs}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n`;
  writeFileSync(join(folder, 'header.vcf.gz'), bgzip(Buffer.from(header)));
  const text = Buffer.from(`${header}\0`);
  writeFileSync(
    join(folder, 'dictionary.bcf'),
    bgzip(Buffer.concat([Buffer.from('BCF\x02\x02'), toWord(text.length), text])),
  );
}

function bgzip(bytes) {
  return Buffer.concat([deflateBlocks(bytes), EOF_MARKER]);
}

/** Returns a BAM without records (SAMv1 §4.2). */
function manyReferences() {
  const text = Array.from({ length: REFERENCES }, (_, id) => `@SQ\tSN:r${id}\tLN:1000\n`).join('');
  const entries = Array.from({ length: REFERENCES }, (_, id) => {
    const name = `r${id}\0`;
    return Buffer.concat([toWord(name.length), Buffer.from(name), toWord(1000)]);
  });
  return Buffer.concat([
    Buffer.from('BAM\x01'),
    toWord(text.length),
    Buffer.from(text),
    toWord(REFERENCES),
    ...entries,
  ]);
}

function toWord(value) {
  const word = Buffer.alloc(4);
  word.writeInt32LE(value);
  return word;
}
