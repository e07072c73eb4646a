import { compareVirtualOffsets } from '@htskit/bgzf';
import { readBlock } from '@htskit/bgzf/internal';
import { SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import type { ByteSource } from '@htskit/io';
import { MAX_EDGED_SEGMENTS, readEdges } from '../deliver/cut-edges.js';
import { type GroupOptions, groupStored, type StoredGroup } from '../deliver/group-segments.js';
import { splitAtEdges } from '../deliver/locate.js';
import {
  keepsBlocks,
  type SegmentFormat,
  type SegmentStreamOptions,
  segmentsByteLength,
} from '../deliver/segment-stream.js';
import type { ClaimedSegment, CutSegment, RangeSegment } from '../plan/plan.js';
import { paddingBytes } from './padding.js';

/** Bytes [start, end) of plaintext, sent as the stored Crypt4GH segments that hold them. */
interface StoredPart {
  readonly kind: 'stored';
  readonly start: number;
  readonly end: number;
}

/** Some segments of a plan, encrypted anew. */
interface NewPart {
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

/** The maximum number of parts that are passed through. htslib reads edit lists of about 50 lengths, and each part has up to four. */
const MAX_STORED_PARTS = 10;

/**
 * Divides an answer into the parts of a Crypt4GH file. Stored segments are passed through if all of the answer is sent as stored:
 * otherwise what precedes them has an unknown length, and no edit list could state where they begin.
 */
export async function divideAnswer(
  segments: readonly ClaimedSegment[],
  options: DivideOptions,
): Promise<readonly AnswerPart[]> {
  const { storedBytes = 0 } = options;
  const joined = joinNeighbours(segments, options);
  const cuts = joined.filter((segment) => segment.kind === 'cut');
  const isKept = cuts.length <= MAX_EDGED_SEGMENTS && cuts.every((cut) => keepsBlocks(cut, options));
  if (storedBytes < LEAST_STORED_BYTES || !isKept) return groupNew(segments, options);
  const pieces = (await Promise.all(joined.map((segment) => splitSegment(segment, options)))).flat();
  const storedPieces = pieces.filter((piece) => piece.kind === 'stored').length;
  if (storedPieces === 0 || storedPieces > MAX_STORED_PARTS) return groupNew(segments, options);
  return groupPieces(pieces, options);
}

/** Joins neighbours that are sent as stored, so that their common block or segment stays whole. */
function joinNeighbours(segments: readonly ClaimedSegment[], options: DivideOptions): readonly ClaimedSegment[] {
  const joined: ClaimedSegment[] = [];
  for (const segment of segments) {
    const whole = join(joined.at(-1), segment, options);
    if (whole === undefined) joined.push(segment);
    else joined.splice(-1, 1, whole);
  }
  return joined;
}

function join(
  last: ClaimedSegment | undefined,
  next: ClaimedSegment,
  format: SegmentFormat,
): CutSegment | RangeSegment | undefined {
  if (last?.kind === 'range' && next.kind === 'range') {
    return last.end === next.start ? { ...next, start: last.start } : undefined;
  }
  if (last?.kind !== 'cut' || next.kind !== 'cut' || !keepsBlocks(last, format) || !keepsBlocks(next, format))
    return undefined;
  return compareVirtualOffsets(last.end, next.start) === 0 ? { ...next, start: last.start } : undefined;
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

/** Returns a part for each URL. The length of each is read, because the edit list states where stored segments begin. */
async function groupPieces(
  pieces: readonly (ClaimedSegment | StoredPart)[],
  options: DivideOptions,
): Promise<readonly AnswerPart[]> {
  const parts: AnswerPart[] = [];
  let run: ClaimedSegment[] = [];
  const finishRun = async (): Promise<void> => {
    for (const part of groupNew(run, options)) parts.push(await measure(part, options));
    run = [];
  };
  for (const piece of pieces) {
    if (piece.kind !== 'stored') run.push(piece);
    else {
      await finishRun();
      parts.push(...splitStored(piece, options));
    }
  }
  await finishRun();
  return parts;
}

/** Splits long parts where segments end. */
function splitStored({ start, end }: StoredPart, { blockBytes }: DivideOptions): readonly StoredPart[] {
  const step = Math.max(1, Math.floor(blockBytes / SEGMENT_BYTES)) * SEGMENT_BYTES;
  const parts: StoredPart[] = [];
  let from = start;
  while (end - from > step) {
    const to = Math.floor((from + step) / SEGMENT_BYTES) * SEGMENT_BYTES;
    parts.push({ kind: 'stored', start: from, end: to });
    from = to;
  }
  return [...parts, { kind: 'stored', start: from, end }];
}

function groupNew(segments: readonly ClaimedSegment[], options: DivideOptions): readonly NewPart[] {
  const groups = groupStored(segments, options, { ...options, joinsClasses: true });
  return fillSegments(groups, options).map((group) => ({
    kind: 'new',
    segments: group,
    plainBytes: segmentsByteLength(group, options),
  }));
}

/** Moves the first bytes of groups to those before, if these are ranges of a known length, so that they end where segments do. */
function fillSegments(groups: readonly StoredGroup[], format: SegmentFormat): readonly StoredGroup[] {
  const filled: StoredGroup[] = [];
  let taken = 0;
  groups.forEach((group, index) => {
    const [first, ...others] = group;
    const rest: StoredGroup = first.kind === 'range' ? [{ ...first, start: first.start + taken }, ...others] : group;
    const missing = paddingBytes(segmentsByteLength(rest, format) ?? 0, 'zeros');
    const next = groups[index + 1]?.[0];
    const isFilled = next?.kind === 'range' && next.end - next.start > missing;
    taken = isFilled ? missing : 0;
    filled.push(isFilled && missing > 0 ? [...rest, { ...next, end: next.start + missing }] : rest);
  });
  return filled;
}

async function measure(part: NewPart, options: DivideOptions): Promise<NewPart> {
  const edges = await readEdges(part.segments, options.source, options);
  return { ...part, plainBytes: segmentsByteLength(edges, options) };
}
