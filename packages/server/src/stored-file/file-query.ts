import type { Precision, StoredIndex } from '@htskit/htsget';
import { asBinning } from '@htskit/htsget/internal';
import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import type { OpenFile } from './open-stored-file.js';
import { parseRegion } from './parse-region.js';

/** How closely a file may be cut. */
export const PRECISIONS: readonly Precision[] = ['auto', 'exact', 'chunks'];

/** A query of a file as it is written on a command line. */
export interface FileQuery {
  /** Written as `REGION_FORMS` describes. An empty list selects the whole file. */
  readonly regions: readonly string[];
  /** Default: the format of the file. */
  readonly format?: HtsgetFormat | undefined;
  readonly isHeaderOnly: boolean;
}

/** The query of a file whose references are known. */
export interface ResolvedFileQuery {
  readonly format: HtsgetFormat;
  readonly class?: 'header';
  readonly regions?: readonly HtsgetRegion[];
}

/**
 * Resolves a query against an open file. Loads its index, or builds one, if there are regions. Throws RegionError for a malformed
 * region, and what the storage and the decoders throw.
 */
export async function resolveQuery(
  { stored, stat, loader }: OpenFile,
  { regions: texts, format = stored.format, isHeaderOnly }: FileQuery,
): Promise<{ readonly query: ResolvedFileQuery; readonly index: StoredIndex | undefined }> {
  if (texts.length === 0) return { query: { format, ...(isHeaderOnly && { class: 'header' }) }, index: undefined };
  const [{ header }, index] = await Promise.all([
    loader.header(stored, stat),
    isHeaderOnly ? undefined : loader.index(stored, stat),
  ]);
  const isReference = createReferenceCheck(stored.format, header.referenceIds, index);
  const regions = texts.map((text) => parseRegion(text, isReference));
  return { query: { format, ...(isHeaderOnly ? { class: 'header' } : { regions }) }, index };
}

/**
 * Returns a predicate for the names of references, or undefined if every name may be one: in a VCF file with neither contigs nor
 * an index.
 */
function createReferenceCheck(
  format: HtsgetFormat,
  referenceIds: ReadonlyMap<string, number>,
  index: StoredIndex | undefined,
): ((name: string) => boolean) | undefined {
  if (format !== 'VCF') return (name) => referenceIds.has(name);
  const binning = asBinning(index);
  if (binning === undefined && referenceIds.size === 0) return undefined;
  return (name) => referenceIds.has(name) || binning?.referenceId(name) !== undefined;
}
