import { numberedReferences } from '@htskit/formats/internal';
import { type CraiIndex, IndexError } from '@htskit/indexes';
import type { CramContainerRange } from '@htskit/indexes/internal';
import type { ByteRange } from '@htskit/io';
import type { CramFile } from '../file/cram-file.js';
import type { Plan, RangeSegment, Segment } from './plan.js';
import type { PlanInput, PlanQuery } from './plan-input.js';
import { resolveRegions, type SelectedRecords } from './reference-intervals.js';

/** The input of a plan of CRAM that is sent as it is: containers are the finest precision. */
type CramPlanInput = Omit<PlanInput<CramFile, CraiIndex>, 'precision' | 'isRestricted'>;

/**
 * Plans the answer to a query of a CRAM file: one header, the containers that hold the selected records in file order, each
 * once, and one EOF container. Throws `HtsgetError` NotFound for a reference that the header does not name, and `IndexError`
 * for an index that contradicts the file.
 */
export function planCram(input: CramPlanInput): Plan {
  const { file, query, limits } = input;
  const { headerBytes, eofContainer } = file;
  const header: Segment =
    headerBytes.length <= limits.inlineBytes
      ? { kind: 'inline', class: 'header', bytes: headerBytes }
      : { kind: 'range', class: 'header', start: 0, end: headerBytes.length };
  const body = query.class === 'header' ? [] : planBody(input).flatMap((range) => splitRange(range, input));
  const eof: Segment[] = eofContainer.length > 0 ? [{ kind: 'inline', class: 'body', bytes: eofContainer }] : [];
  return { format: 'CRAM', segments: [header, ...body, ...eof] };
}

function planBody({ file, index, query, limits }: CramPlanInput): RangeSegment[] {
  const bodyStart = file.headerBytes.length;
  if (query.regions === undefined) return toRanges([{ start: bodyStart, end: file.end }]);
  const { intervals, unplaced } = resolveCramRegions(query, file);
  const queries = [...intervals, ...(unplaced ? [{ referenceId: -1 } as const] : [])];
  if (queries.length === 0) return [];
  if (index === undefined) return toRanges([{ start: bodyStart, end: file.end }]);
  return toRanges(index.containers(queries, { maxGap: limits.gapBytes }).map((range) => clipToBody(range, file)));
}

/** Returns the bases that the regions of a query select. Throws the errors of `resolveRegions`. */
export function resolveCramRegions(query: PlanQuery, { header: { referenceIds } }: CramFile): SelectedRecords {
  return resolveRegions(query, numberedReferences(referenceIds, { hasUnplaced: true }));
}

/**
 * Keeps the header and the EOF container out of a range. Throws `IndexError` if the index refers to containers past the end of
 * the file: the file is truncated then, and its containers would be an incomplete answer.
 */
export function clipToBody({ start, end }: CramContainerRange, file: CramFile): ByteRange {
  if (start >= file.size || (end ?? 0) > file.size) {
    const message = `index refers to offset ${Math.max(start, end ?? 0)}, past the end of the file (${file.size} bytes)`;
    throw new IndexError('INVALID_DATA', message, { offset: 0 });
  }
  return { start: Math.max(start, file.headerBytes.length), end: Math.min(end ?? file.end, file.end) };
}

function toRanges(ranges: readonly ByteRange[]): RangeSegment[] {
  return ranges
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ kind: 'range', class: 'body', start, end }));
}

function splitRange(range: RangeSegment, { index, limits: { blockBytes } }: CramPlanInput): RangeSegment[] {
  const parts: RangeSegment[] = [];
  let { start } = range;
  while (range.end - start > blockBytes) {
    const end = index?.splitAt(start, blockBytes);
    if (end === undefined || end >= range.end) break;
    parts.push({ ...range, start, end });
    start = end;
  }
  parts.push({ ...range, start });
  return parts;
}
