import { DEFAULT_LIMITS, type Plan, type Precision, planBgzf, planCram, type StoredFormat } from '@htskit/htsget';
import type { ReadOptions } from '@htskit/io';
import { type HtsgetFormat, type HtsgetQuery, type HtsgetRegion, UNPLACED } from '@htskit/protocol';
import { asBinning, type Index, type OpenFile } from './open-stored-file.js';
import { parseRegion } from './parse-region.js';

/** How closely a file may be cut. */
export const PRECISIONS: readonly Precision[] = ['auto', 'exact', 'chunks'];

/** What is asked of a file, as people write it. */
export interface FileQuery {
  /** As `REGION_FORMS` says; none for the whole file. */
  readonly regions: readonly string[];
  /** By default that of the file. */
  readonly format?: HtsgetFormat | undefined;
  readonly isHeaderOnly: boolean;
}

/** The same of a file that is known. */
export interface ResolvedFileQuery {
  readonly format: HtsgetFormat;
  readonly class?: 'header';
  readonly regions?: readonly HtsgetRegion[];
}

/**
 * Reads a question as one of an open file, whose index is read, or made, where there are regions. Throws RegionError, Error
 * for a reference or a format that the file does not have, and what reading the index throws.
 */
export async function resolveQuery(
  open: OpenFile,
  { regions: texts, format, isHeaderOnly }: FileQuery,
  options?: ReadOptions,
): Promise<{ readonly query: ResolvedFileQuery; readonly index: Index | undefined }> {
  const answered = answeredFormat(open.stored.format, format);
  const index = isHeaderOnly || texts.length === 0 ? undefined : await open.readIndex(options);
  const isReference = knownReferences(open.file, index);
  const regions = texts.map((text) => parseRegion(text, isReference));
  const query: ResolvedFileQuery = {
    format: answered,
    ...(isHeaderOnly ? { class: 'header' } : regions.length > 0 && { regions }),
  };
  checkReferences(query, isReference);
  return { query, index };
}

function answeredFormat(stored: StoredFormat, asked: HtsgetFormat = stored): HtsgetFormat {
  if (asked === stored || (asked === 'VCFTEXT' && stored === 'VCF')) return asked;
  throw new Error(`the file is ${stored}, which ${asked} is not made from`);
}

/** Whether a name is that of a reference; undefined where any may be, as in a VCF with neither contigs nor an index. */
function knownReferences(
  { format, header: { referenceIds } }: OpenFile['file'],
  index: Index | undefined,
): ((name: string) => boolean) | undefined {
  if (format !== 'VCF') return (name) => referenceIds.has(name);
  const binning = asBinning(index);
  if (binning === undefined && referenceIds.size === 0) return undefined;
  return (name) => referenceIds.has(name) || binning?.referenceId(name) !== undefined;
}

/** Throws Error for a reference that the file does not have. The planner's own error does not name it. */
function checkReferences(
  { regions = [] }: ResolvedFileQuery,
  isReference: ((name: string) => boolean) | undefined,
): void {
  for (const { referenceName: name } of regions) {
    if (name === UNPLACED || isReference?.(name) !== false) continue;
    throw new Error(`the file has no reference "${name}"`);
  }
}

/** What records keep, as the protocol says it. */
export type RecordSelection = Pick<HtsgetQuery, 'fields' | 'tags' | 'notags'>;

export interface PlanStoredFileInput {
  readonly query: ResolvedFileQuery & RecordSelection;
  readonly index: Index | undefined;
  readonly precision: Precision;
  /** As of `planBgzf`; a CRAM file is cut at its containers even so. */
  readonly isRestricted?: boolean;
}

/** Plans the answer with the limits that a server has by default. Throws `HtsgetError` for what the planner refuses. */
export function planStoredFile({ file }: OpenFile, { index, ...input }: PlanStoredFileInput): Plan {
  const { blockBytes, exactBytes, inlineBytes } = DEFAULT_LIMITS;
  if (file.format === 'CRAM') {
    const crai = index !== undefined && 'containers' in index ? index : undefined;
    return planCram({ file, index: crai, query: input.query, inlineBytes, blockBytes });
  }
  return planBgzf({
    ...input,
    file,
    index: asBinning(index),
    format: input.query.format,
    exactBytes,
    inlineBytes,
  });
}
