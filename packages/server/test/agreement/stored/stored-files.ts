import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { folders } from '../../interop-files.js';

/** A copy of a file that is not generated, with its index if it has one. */
export interface StoredFile {
  /** The path in the folder that it is from. */
  readonly name: string;
  readonly path: string;
  readonly kind: 'alignments' | 'variants' | 'lines';
  readonly isIndexed: boolean;
  /** The FASTA file with the bases of a CRAM file. */
  readonly fasta: string | undefined;
}

/** Larger files are left out: each is read about thirty times. */
const MOST_BYTES = 20_000_000;

const KINDS: readonly (readonly [ending: RegExp, kind: StoredFile['kind']])[] = [
  [/\.(bam|cram)$/, 'alignments'],
  [/\.(vcf\.b?gz|bcf)$/, 'variants'],
  [/\.(bed|gff3?|gtf)\.b?gz$/, 'lines'],
];
const INDEX_SUFFIXES = ['.bai', '.csi', '.crai', '.tbi'];

/** Paths of the FASTA files of CRAM files, from the folder of each file: the first one that exists. */
const FASTA = ['../ce.fa', 'cram-spec/ce.fa', 'records.fa', '../genome.fa', 'genome.fa'];

/** Copies the files of the fixtures and of `HTSKIT_EXTERNAL_DATA`, so that no tool writes an index beside them. */
export function copyStoredFiles(target: string): StoredFile[] {
  return folders.flatMap((folder, index) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name): StoredFile[] => {
      const kind = KINDS.find(([ending]) => ending.test(name))?.[1];
      const source = join(folder, name);
      if (kind === undefined || statSync(source).size > MOST_BYTES) return [];
      const path = join(target, String(index), name);
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(source, path);
      const suffixes = INDEX_SUFFIXES.filter((suffix) => existsSync(source + suffix));
      for (const suffix of suffixes) copyFileSync(source + suffix, path + suffix);
      const isIndexed = suffixes.length > 0;
      // Lines are of any format, but their index says which.
      return kind === 'lines' && !isIndexed ? [] : [{ name, path, kind, isIndexed, fasta: copyFasta(source, path) }];
    }),
  );
}

function copyFasta(source: string, path: string): string | undefined {
  const name = FASTA.find((each) => existsSync(join(dirname(source), each)));
  if (name === undefined || !path.endsWith('.cram')) return undefined;
  const copy = join(dirname(path), basename(name));
  copyFileSync(join(dirname(source), name), copy);
  return copy;
}
