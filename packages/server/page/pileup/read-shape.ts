import type { AlignmentRecord, ReferenceBases } from '@htskit/formats';

/** How a read is drawn: 0-based positions on the reference. */
export interface ReadShape {
  readonly isReverse: boolean;
  /** Whether the read says little about its place: its mapping quality is 0, or it is not a primary alignment. */
  readonly isDim: boolean;
  /** The parts that cover the reference, in order, with gaps between them. */
  readonly parts: readonly (readonly [start: number, end: number])[];
  readonly substitutions: readonly (readonly [start: number, base: string])[];
  /** The bases before which others are inserted. */
  readonly insertions: readonly number[];
  /** The bases at which a part of the read was clipped. */
  readonly clips: readonly number[];
}

/** The kinds of `MISMATCH_KINDS`. */
const [SUBSTITUTION, INSERTION, DELETION, SKIP, SOFT_CLIP] = [0, 1, 2, 3, 4];

/** Returns the shape of a read. Without bases of the reference, substitutions are those of the tag MD. */
export function readShape(record: AlignmentRecord, reference: ReferenceBases | undefined): ReadShape {
  const { start, end, isReverse, mappingQuality, isSecondary, isSupplementary, isDuplicate, isQcFail } = record;
  const substitutions: (readonly [number, string])[] = [];
  const insertions: number[] = [];
  const clips: number[] = [];
  const parts: [number, number][] = [];
  let partStart = start;
  const visit = (kind: number, at: number, length: number, _: number, base: number): void => {
    if (kind === SUBSTITUTION) substitutions.push([at, String.fromCharCode(base)]);
    else if (kind === INSERTION) insertions.push(at);
    else if (kind === SOFT_CLIP) clips.push(at);
    else if (kind === DELETION || kind === SKIP) {
      if (at > partStart) parts.push([partStart, at]);
      partStart = at + length;
    }
  };
  try {
    record.forEachMismatch(visit, { reference: coveringBases(record, reference) });
  } catch {
    // A malformed MD is no reason to hide the read.
  }
  if (end > partStart) parts.push([partStart, end]);
  const isDim = mappingQuality === 0 || isSecondary || isSupplementary || isDuplicate || isQcFail;
  return { isReverse, isDim, parts, substitutions, insertions, clips };
}

/** Returns the bases if they cover the whole alignment. */
export function coveringBases(
  { start, end }: Pick<AlignmentRecord, 'start' | 'end'>,
  reference: ReferenceBases | undefined,
): ReferenceBases | undefined {
  if (reference === undefined) return undefined;
  const { bases, start: first = 0 } = reference;
  return first <= start && end <= first + bases.length ? reference : undefined;
}
