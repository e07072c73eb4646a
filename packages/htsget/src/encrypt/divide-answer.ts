import { compareVirtualOffsets } from '@htskit/bgzf';
import { readBlock } from '@htskit/bgzf/internal';
import { SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import type { ByteSource } from '@htskit/io';
import { MAX_EDGED_SEGMENTS, readEdges } from '../deliver/cut-edges.js';
import { type GroupOptions, groupStored } from '../deliver/group-segments.js';
import { splitAtEdges } from '../deliver/locate.js';
import { keepsBlocks, type SegmentStreamOptions, segmentsByteLength } from '../deliver/segment-stream.js';
import type { ClaimedSegment, CutSegment, RangeSegment } from '../plan/plan.js';

/** Bytes [start, end) of plaintext, sent as the stored Crypt4GH segments that hold them. */
export interface StoredPart {
  readonly kind: 'stored';
  readonly start: number;
  readonly end: number;
}

/** Some segments of a plan, encrypted anew. */
export interface NewPart {
  readonly kind: 'new';
  readonly segments: readonly [ClaimedSegment, ...ClaimedSegment[]];
  /** The number of bytes, unless they are filtered or rewritten. */
  readonly plainBytes: number | undefined;
}

export type AnswerPart = StoredPart | NewPart;

export interface DivideOptions extends SegmentStreamOptions, GroupOptions {
  readonly source: ByteSource;
  /** Bytes of plaintext in whole stored segments, which may be passed through. Default 0: everything is encrypted anew. */
  readonly storedBytes?: number;
}

/** The least number of bytes that are passed through: below, one more block costs more than to encrypt them. */
const LEAST_STORED_BYTES = 2 * SEGMENT_BYTES;

/**
 * Divides an answer into the parts of a Crypt4GH file. Stored segments are passed through if all of the answer is sent as stored:
 * otherwise what precedes them has an unknown length, and no edit list could say where they begin.
 */
export async function divideAnswer(
  segments: readonly ClaimedSegment[],
  options: DivideOptions,
): Promise<readonly AnswerPart[]> {
  const { storedBytes = 0 } = options;
  const joined = joinHeader(segments, options);
  const cuts = joined.filter((segment) => segment.kind === 'cut');
  const isKept = cuts.length <= MAX_EDGED_SEGMENTS && cuts.every((cut) => keepsBlocks(cut, options));
  if (storedBytes < LEAST_STORED_BYTES || !isKept) return groupNew(segments, options);
  const split = await Promise.all(joined.map((segment) => splitSegment(segment, options)));
  return joinNew(split.flat(), options);
}

/** Joins the header with the records after it if both are sent as stored, so that their common block stays whole. */
function joinHeader(segments: readonly ClaimedSegment[], options: DivideOptions): readonly ClaimedSegment[] {
  const [header, body, ...others] = segments;
  const isJoined =
    header?.kind === 'cut' &&
    body?.kind === 'cut' &&
    keepsBlocks(body, options) &&
    header.class === 'header' &&
    compareVirtualOffsets(header.end, body.start) === 0;
  return isJoined ? [{ ...body, start: header.start }, ...others] : segments;
}

async function splitSegment(
  segment: ClaimedSegment,
  options: DivideOptions,
): Promise<readonly (ClaimedSegment | StoredPart)[]> {
  if (segment.kind === 'range') return splitRange(segment, options);
  if (segment.kind !== 'cut' || segment.end.coffset - segment.start.coffset < LEAST_STORED_BYTES) return [segment];
  const { coffset, uoffset } = segment.start;
  const block = uoffset === 0 ? undefined : await readBlock(options.source, coffset, options);
  const parts = splitAtEdges(segment, coffset + (block?.bytes.length ?? 0));
  return parts.flatMap<CutSegment | RangeSegment | StoredPart>((part) =>
    part.kind === 'range' ? splitRange(part, options) : [part],
  );
}

/** Splits off the bytes that lie in the last stored segment, which is shorter than others and may follow nothing. */
function splitRange(range: RangeSegment, { storedBytes = 0 }: DivideOptions): readonly (RangeSegment | StoredPart)[] {
  const { start } = range;
  const end = Math.min(range.end, storedBytes);
  if (end - start < LEAST_STORED_BYTES) return [range];
  const stored: StoredPart = { kind: 'stored', start, end };
  return end === range.end ? [stored] : [stored, { ...range, start: end }];
}

/** Groups what is encrypted anew. Before stored segments its length is read, because the edit list says where those begin. */
async function joinNew(
  pieces: readonly (ClaimedSegment | StoredPart)[],
  options: DivideOptions,
): Promise<readonly AnswerPart[]> {
  const parts: AnswerPart[] = [];
  let run: ClaimedSegment[] = [];
  for (const piece of pieces) {
    if (piece.kind !== 'stored') {
      run.push(piece);
      continue;
    }
    for (const part of groupNew(run, options)) parts.push(await measure(part, options));
    parts.push(piece);
    run = [];
  }
  return [...parts, ...groupNew(run, options)];
}

function groupNew(segments: readonly ClaimedSegment[], options: DivideOptions): readonly NewPart[] {
  return groupStored(segments, options, { ...options, joinsClasses: true }).map((group) => ({
    kind: 'new',
    segments: group,
    plainBytes: segmentsByteLength(group, options),
  }));
}

async function measure(part: NewPart, options: DivideOptions): Promise<NewPart> {
  const edges = await readEdges(part.segments, options.source, options);
  return { ...part, plainBytes: segmentsByteLength(edges, options) };
}
