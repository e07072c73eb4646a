/** A format of records whose index is a file beside it. */
export type IndexedFormat = 'BAM' | 'CRAM' | 'VCF' | 'BCF';

/** Extensions of the index of each format, in the order of lookup. */
const INDEX_EXTENSIONS: Readonly<Record<IndexedFormat, readonly string[]>> = {
  BAM: ['.bai', '.csi'],
  CRAM: ['.crai'],
  VCF: ['.tbi', '.csi'],
  BCF: ['.csi'],
};

/** The extension that follows that of a file, or of its index, if it is encrypted by Crypt4GH. */
export const ENCRYPTED_EXTENSION = '.c4gh';

/**
 * Returns the paths at which the index of a file may be, in the order of lookup: those that htslib tries. The extension of an index
 * follows that of the file, as in `a.bam.bai`, or replaces it, as in `a.bai`. A CSI that replaces it comes last, since it may be
 * the index of another file, of `a.bcf` for example. The index of an encrypted file may be encrypted, as `a.bam.bai.c4gh`, or be
 * plain, as `a.bam.c4gh.bai` or beside the name of the plain file.
 */
export function indexPaths(path: string, format: IndexedFormat): string[] {
  if (!path.endsWith(ENCRYPTED_EXTENSION)) return plainIndexPaths(path, format);
  const plain = path.slice(0, -ENCRYPTED_EXTENSION.length);
  const extensions = INDEX_EXTENSIONS[format];
  return [
    ...extensions.map((extension) => plain + extension + ENCRYPTED_EXTENSION),
    ...extensions.map((extension) => path + extension),
    ...plainIndexPaths(plain, format),
  ];
}

function plainIndexPaths(path: string, format: IndexedFormat): string[] {
  const base = path.replace(/\.[^./\\]*$/, '');
  const paths = INDEX_EXTENSIONS[format].flatMap((extension) => [path + extension, base + extension]);
  const shared = `${base}.csi`;
  return paths.includes(shared) ? [...paths.filter((each) => each !== shared), shared] : paths;
}
