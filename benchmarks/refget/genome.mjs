// One chromosome, in a file of each kind from which sequences are served.
import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildGzi, deflateBlocks, EOF_MARKER, formatGzi } from '@htskit/bgzf';
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { memorySource } from '@htskit/storage/memory';
import { LINE_BASES, LINE_LENGTH, makeFastaLike, spell } from '../fasta-like.mjs';
import { encodeTwoBit } from './two-bit.mjs';

export const NAME = 'chromosome';
const LINES = 600_000;
/** Bases of the chromosome. */
export const LENGTH = LINES * LINE_BASES;

/** Writes the files. Returns their paths and the bases. */
export async function writeGenome(folder) {
  const heading = `>${NAME}\n`;
  const lines = makeFastaLike(LINES * LINE_LENGTH, 7);
  const fasta = Buffer.concat([Buffer.from(heading), lines]);
  const paths = {
    fasta: join(folder, 'genome.fa'),
    bgzf: join(folder, 'genome.fa.gz'),
    twoBit: join(folder, 'genome.2bit'),
    store: join(folder, 'store'),
  };
  const fai = `${NAME}\t${LENGTH}\t${heading.length}\t${LINE_BASES}\t${LINE_LENGTH}\n`;
  writeFileSync(paths.fasta, fasta);
  writeFileSync(`${paths.fasta}.fai`, fai);
  const compressed = Buffer.concat([deflateBlocks(fasta), EOF_MARKER]);
  writeFileSync(paths.bgzf, compressed);
  writeFileSync(`${paths.bgzf}.fai`, fai);
  writeFileSync(`${paths.bgzf}.gzi`, formatGzi(await buildGzi(memorySource(compressed), compressed.length)));
  writeFileSync(paths.twoBit, encodeTwoBit(NAME, lines));
  await importFasta({ store: folderStore(paths.store), data: fileSource(paths.fasta) });
  const bases = spell(lines);
  return { paths, bases, md5: createHash('md5').update(bases).digest('hex') };
}

/** Returns the bytes on disk of each kind, including its indexes. */
export async function diskBytes({ fasta, bgzf, twoBit, store }) {
  const sizeOf = (paths) => paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const stored = await readdir(store, { recursive: true, withFileTypes: true });
  const files = stored.filter((entry) => entry.isFile());
  return {
    fasta: sizeOf([fasta, `${fasta}.fai`]),
    bgzf: sizeOf([bgzf, `${bgzf}.fai`, `${bgzf}.gzi`]),
    twoBit: sizeOf([twoBit]),
    store: sizeOf(files.map(({ parentPath, path, name }) => join(parentPath ?? path, name))),
  };
}
