import { readBgzfFile, readCramFile, type StoredFile } from '@htskit/htsget';
import { parseBinningIndex, parseCrai, type RegionQuery, readIndex } from '@htskit/indexes';

/** Bases [start, end) of a reference, 0-based. */
export interface ExampleRegion {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
}

/** What is shown: as long as the smallest bins of a BAI or TBI. */
const WINDOW_SPAN = 2 ** 14;
/** No index covers more bases. */
const MAX_END = 2 ** 44;
const LIMITS = { maxHeaderBytes: 2 ** 27 };

/**
 * Where a file has records, as far as its index tells; without an index, the begin of any reference. Undefined for a file
 * without references, or without records on them. Throws what the storage and the decoders throw.
 */
export async function findExampleRegion(file: StoredFile): Promise<ExampleRegion | undefined> {
  const options = { ...(await file.data.stat()), ...LIMITS };
  const { format } = file;
  const { header } =
    format === 'CRAM' ? await readCramFile(file.data, options) : await readBgzfFile(file.data, { ...options, format });
  const { names, mayHoldRecords } = await openIndex(file);
  // The contigs of a VCF need not be in its header.
  for (const [referenceName, referenceId] of [...header.referenceIds, ...names]) {
    const mayBegin = (end: number): boolean => mayHoldRecords({ referenceName, referenceId, start: 0, end });
    if (mayBegin(MAX_END)) return { referenceName, ...firstWindow(mayBegin) };
  }
  return undefined;
}

interface OpenIndex {
  /** The references that the index names itself. */
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

/** The first window that some record may reach, found by halving. */
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
