import { type CraiIndex, type CramContainerRange, IndexError } from '@htskit/indexes';
import type { ByteRange } from '@htskit/io';
import type { CramFile } from './cram-file.js';
import { DEFAULT_LIMITS } from './options.js';
import type { Plan, RangeSegment, Segment } from './plan.js';
import { type RegionsQuery, resolveRegions } from './reference-intervals.js';

export interface CramPlanInput {
  readonly file: CramFile;
  /** Without it a region is answered by the whole file. */
  readonly index?: CraiIndex | undefined;
  readonly query: RegionsQuery;
  /** A header up to this many bytes is sent inline. */
  readonly inlineBytes: number;
  /** Parts with up to this many bytes between them are sent as one: a superset is allowed. Default 64 KiB. */
  readonly gapBytes?: number | undefined;
  /** Where the index knows containers, longer parts are split at them. */
  readonly blockBytes: number;
}

/**
 * Plans the answer to a query from a CRAM file: one header, the containers that hold the records asked for in file order
 * and each once, one EOF container. Throws `HtsgetError` NotFound for a reference that the header does not name.
 */
export function planCram(input: CramPlanInput): Plan {
  const { file, query, inlineBytes } = input;
  const { headerBytes, eofContainer } = file;
  const header: Segment =
    headerBytes.length <= inlineBytes
      ? { kind: 'inline', class: 'header', bytes: headerBytes }
      : { kind: 'range', class: 'header', start: 0, end: headerBytes.length };
  const body = query.class === 'header' ? [] : planBody(input).flatMap((range) => splitRange(range, input));
  const eof: Segment[] = eofContainer.length > 0 ? [{ kind: 'inline', class: 'body', bytes: eofContainer }] : [];
  return { format: 'CRAM', segments: [header, ...body, ...eof] };
}

function planBody({ file, index, gapBytes = DEFAULT_LIMITS.gapBytes, query }: CramPlanInput): RangeSegment[] {
  const bodyStart = file.headerBytes.length;
  if (query.regions === undefined) return toRanges([{ start: bodyStart, end: file.end }]);
  const { intervals, unplaced } = resolveRegions(query, {
    referenceId: (name) => file.header.referenceIds.get(name),
    hasUnplaced: true,
  });
  const queries = [...intervals, ...(unplaced ? [{ referenceId: -1 } as const] : [])];
  if (queries.length === 0) return [];
  if (index === undefined) return toRanges([{ start: bodyStart, end: file.end }]);
  return toRanges(index.containers(queries, { maxGap: gapBytes }).map((range) => clipToBody(range, file)));
}

/**
 * An index that points outside the containers must not make the header, or the EOF container, part of the body. Where it
 * knows of containers that the file does not have, the file is not whole, and what is there no answer.
 */
function clipToBody(range: CramContainerRange, file: CramFile): ByteRange {
  const { start, end = file.end } = range;
  if (start >= file.size || end > file.size) {
    throw new IndexError('INVALID_DATA', 'the index points behind the end of the file', { offset: 0 });
  }
  return { start: Math.max(start, file.headerBytes.length), end: Math.min(end, file.end) };
}

function toRanges(ranges: readonly ByteRange[]): RangeSegment[] {
  return ranges
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ kind: 'range', class: 'body', start, end }));
}

function splitRange(range: RangeSegment, { index, blockBytes }: CramPlanInput): RangeSegment[] {
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
