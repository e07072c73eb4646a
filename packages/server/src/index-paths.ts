import type { StoredFormat } from '@htskit/htsget';

/** How the index of a file is called: with `append` as `a.bam.bai`, without as `a.bai`. In the order of looking for them. */
const NAMES: Readonly<Record<StoredFormat, readonly { readonly extension: string; readonly append: boolean }[]>> = {
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

/** Where the index of a file may be, in the order in which it is looked for. */
export function indexPaths(path: string, format: StoredFormat): string[] {
  return NAMES[format].map(({ extension, append }) => (append ? path : path.replace(/\.[^./\\]*$/, '')) + extension);
}
