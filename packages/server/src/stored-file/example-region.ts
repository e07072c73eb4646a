import type { StoredFile } from '@htskit/htsget';
import { readBgzfFile, readCramFile } from '@htskit/htsget/internal';
import { parseBinningIndex, parseCrai, type RegionQuery, readIndex } from '@htskit/indexes';

/** A region of a reference, in bases: 0-based, half-open. */
export interface ExampleRegion {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
}

/** The length of the example in bases: that of the smallest bins of a BAI or TBI. */
const WINDOW_SPAN = 2 ** 14;
/** The end of the longest region that any index covers. */
const MAX_END = 2 ** 44;
const LIMITS = { maxHeaderBytes: 2 ** 27 };

/**
 * Finds a region that has records according to the index, or the start of the first reference if there is no index. Returns
 * undefined for a file without references or without placed records. Throws StorageError and the errors of the decoders.
 */
export async function findExampleRegion(file: StoredFile): Promise<ExampleRegion | undefined> {
  const options = { ...(await file.data.stat()), ...LIMITS };
  const { format } = file;
  const { header } =
    format === 'CRAM' ? await readCramFile(file.data, options) : await readBgzfFile(file.data, { ...options, format });
  const { names, mayHoldRecords } = await openIndex(file);
  // The header of a VCF need not list its contigs.
  for (const [referenceName, referenceId] of [...header.referenceIds, ...names]) {
    const mayBegin = (end: number): boolean => mayHoldRecords({ referenceName, referenceId, start: 0, end });
    if (mayBegin(MAX_END)) return { referenceName, ...firstWindow(mayBegin) };
  }
  return undefined;
}

interface OpenIndex {
  /** The reference names in the index: a tabix index has them. */
  readonly names: readonly (readonly [name: string, referenceId: number])[];
  readonly mayHoldRecords: (region: RegionQuery & { readonly referenceName: string }) => boolean;
}

async function openIndex({ format, index: source }: StoredFile): Promise<OpenIndex> {
  if (source === undefined) return { names: [], mayHoldRecords: () => true };
  if (format === 'CRAM') {
    const crai = await readIndex(source, parseCrai);
    return { names: [], mayHoldRecords: (region) => crai.containers(region).length > 0 };
  }
  const index = await readIndex(source, parseBinningIndex);
  const names = (index.tabix?.names ?? []).map((name, referenceId) => [name, referenceId] as const);
  return {
    names,
    mayHoldRecords({ referenceName, referenceId, ...span }) {
      const id = index.tabix === undefined ? referenceId : (index.referenceId(referenceName) ?? -1);
      return index.chunks({ ...span, referenceId: id }).length > 0;
    },
  };
}

/** Finds the first window that a record may overlap, by bisection. */
function firstWindow(mayBegin: (end: number) => boolean): { readonly start: number; readonly end: number } {
  let start = 0;
  let end = MAX_END;
  while (end - start > WINDOW_SPAN) {
    const middle = (start + end) / 2;
    if (mayBegin(middle)) end = middle;
    else start = middle;
  }
  return { start, end };
}
