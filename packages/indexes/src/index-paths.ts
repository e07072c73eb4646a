/** A format of records whose index is a file beside it. */
export type IndexedFormat = 'BAM' | 'CRAM' | 'VCF' | 'BCF';

/** Extensions of the index of each format, in the order of lookup: appended as in `a.bam.bai`, or replaced as in `a.bai`. */
const INDEX_NAMES: Readonly<Record<IndexedFormat, readonly { extension: string; append: boolean }[]>> = {
  BAM: [
    { extension: '.bai', append: true },
    { extension: '.bai', append: false },
    { extension: '.csi', append: true },
  ],
  CRAM: [
    { extension: '.crai', append: true },
    { extension: '.crai', append: false },
  ],
  VCF: [
    { extension: '.tbi', append: true },
    { extension: '.csi', append: true },
  ],
  BCF: [{ extension: '.csi', append: true }],
};

/** Returns the paths at which the index of a file may be, in the order of lookup. */
export function indexPaths(path: string, format: IndexedFormat): string[] {
  return INDEX_NAMES[format].map(
    ({ extension, append }) => (append ? path : path.replace(/\.[^./\\]*$/, '')) + extension,
  );
}
