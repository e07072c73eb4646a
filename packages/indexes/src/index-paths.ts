import { companionPathOf, isEncryptedPath, plainPathOf } from '@htskit/io/internal';

/** A format of records whose index is a file beside it. */
export type IndexedFormat = 'BAM' | 'CRAM' | 'VCF' | 'BCF';

/** Extensions of the index of each format, in the order of lookup. */
const INDEX_EXTENSIONS: Readonly<Record<IndexedFormat, readonly string[]>> = {
  BAM: ['.bai', '.csi'],
  CRAM: ['.crai'],
  VCF: ['.tbi', '.csi'],
  BCF: ['.csi'],
};

/**
 * Returns the paths at which the index of a file may be, in the order of lookup: those that htslib tries. The extension of an index
 * follows that of the file, as in `a.bam.bai`, or replaces it, as in `a.bai`. A CSI that replaces it comes last, since it may be
 * the index of another file, of `a.bcf` for example. The index of an encrypted file may be encrypted, as `a.bam.bai.c4gh`, or be
 * plain, as `a.bam.c4gh.bai` or beside the name of the plain file.
 */
export function indexPaths(path: string, format: IndexedFormat): string[] {
  if (!isEncryptedPath(path)) return plainIndexPaths(path, format);
  const extensions = INDEX_EXTENSIONS[format];
  return [
    ...extensions.map((extension) => companionPathOf(path, extension)),
    ...extensions.map((extension) => path + extension),
    ...plainIndexPaths(plainPathOf(path), format),
  ];
}

function plainIndexPaths(path: string, format: IndexedFormat): string[] {
  const base = path.replace(/\.[^./\\]*$/, '');
  const paths = INDEX_EXTENSIONS[format].flatMap((extension) => [path + extension, base + extension]);
  const shared = `${base}.csi`;
  return paths.includes(shared) ? [...paths.filter((each) => each !== shared), shared] : paths;
}
