import { MAX_SEGMENT_CHARACTERS, segmentCharacters } from '../block-url/packed-segment.js';
import type { ClaimedSegment, InlineSegment, Plan, SentSegment } from '../plan/plan.js';
import { hasKnownLength, MAX_EDGED_SEGMENTS } from './cut-edges.js';
import type { LocatedSegment } from './locate.js';
import type { SegmentFormat } from './segment-stream.js';

export interface GroupOptions {
  /** The maximum number of compressed bytes of neighbouring segments that share one URL. */
  readonly blockBytes: number;
  /**
   * The maximum number of compressed bytes of the segments that share a URL with one of unknown length. If its connection breaks,
   * a client fetches such a block from its start.
   */
  readonly transformedBytes: number;
  /** Whether segments of the header and of the body share a URL. Default false. */
  readonly joinsClasses?: boolean;
}

/** A plan whose segments may be sent by the store itself. */
export interface TicketPlan extends Pick<Plan, 'format' | 'rewriting' | 'conversion'> {
  readonly segments: readonly (SentSegment | LocatedSegment)[];
}

/** The segments that one URL of a ticket stands for. */
export type SegmentGroup = InlineSegment | LocatedSegment | StoredGroup;

/** Neighbouring segments that share a URL. */
export type StoredGroup = readonly [ClaimedSegment, ...ClaimedSegment[]];

/** Returns the groups of a plan, one for each URL. */
export function groupSegments(plan: TicketPlan, options: GroupOptions): readonly SegmentGroup[] {
  const groups: SegmentGroup[] = [];
  let run: ClaimedSegment[] = [];
  for (const segment of plan.segments) {
    if (segment.kind === 'inline' || segment.kind === 'located') {
      groups.push(...groupStored(run, plan, options), segment);
      run = [];
    } else run.push(segment);
  }
  groups.push(...groupStored(run, plan, options));
  return groups;
}

/** Returns the runs of neighbouring segments that share a URL. */
export function groupStored(
  segments: readonly ClaimedSegment[],
  format: SegmentFormat,
  options: GroupOptions,
): readonly StoredGroup[] {
  const runs: SegmentRun[] = [];
  for (const segment of segments) {
    const next = new SegmentRun(segment, format);
    const run = runs.at(-1);
    if (run === undefined || !joins(run, next, options)) runs.push(next);
    else run.add(next);
  }
  return runs.map((run) => run.segments);
}

/** A group while it grows. */
class SegmentRun {
  readonly segments: [ClaimedSegment, ...ClaimedSegment[]];
  byteLength: number;
  hasKnownLength: boolean;
  /** Undefined until the run is compared with its neighbour, which most tickets do not have. */
  #characters: number | undefined;

  constructor(segment: ClaimedSegment, format: SegmentFormat) {
    this.segments = [segment];
    this.byteLength = storedBytes(segment);
    this.hasKnownLength = hasKnownLength(this.segments, format);
  }

  /** The approximate number of characters of the segments in a URL. */
  get characters(): number {
    this.#characters ??= segmentCharacters(this.segments[0]);
    return this.#characters;
  }

  add(next: SegmentRun): void {
    this.#characters = this.characters + next.characters;
    this.segments.push(...next.segments);
    this.byteLength += next.byteLength;
    this.hasKnownLength &&= next.hasKnownLength;
  }
}

function joins(
  run: SegmentRun,
  next: SegmentRun,
  { blockBytes, transformedBytes, joinsClasses = false }: GroupOptions,
): boolean {
  const byteLength = run.byteLength + next.byteLength;
  const isResumable = run.hasKnownLength && next.hasKnownLength && run.segments.length < MAX_EDGED_SEGMENTS;
  return (
    (joinsClasses || run.segments[0].class === next.segments[0].class) &&
    run.characters + next.characters <= MAX_SEGMENT_CHARACTERS &&
    byteLength <= (isResumable ? blockBytes : Math.min(blockBytes, transformedBytes))
  );
}

/** Returns the approximate number of bytes of the stored object that a segment is made from. */
function storedBytes(segment: ClaimedSegment | LocatedSegment): number {
  if (segment.kind === 'header' || segment.kind === 'end') return 0;
  return segment.kind === 'cut' ? segment.end.coffset - segment.start.coffset : segment.end - segment.start;
}

/** Returns the approximate number of bytes of the stored object that some segments are made from. */
export function storedLength(segments: readonly (SentSegment | LocatedSegment)[]): number {
  return segments.reduce((sum, segment) => sum + (segment.kind === 'inline' ? 0 : storedBytes(segment)), 0);
}
