import { parseRangeHeader, toContentRange } from '@htskit/http';
import { RefgetError, type RefgetErrorCode, type Subsequence } from '@htskit/protocol';
import type { BaseRange } from '@htskit/sequences';

/** The part of a request that selects bases. */
export interface SubsequenceQuery extends Subsequence {
  /** The value of the Range header. */
  readonly range: string | null;
}

/** The properties of a sequence and the settings of the service that a plan depends on. */
export interface SubsequenceRules {
  /** Bases. */
  readonly length: number;
  readonly circular: boolean;
  /** Whether `start > end` may wrap around the origin of a circular sequence. */
  readonly circularSupported: boolean;
  /** The maximum number of bases of a subsequence. 0 means any number. */
  readonly subsequenceLimit: number;
  /** Status of a Range that begins after the end of the sequence: 400 by refget 2.0.0, 416 by RFC 9110. */
  readonly rangeOutOfBounds: 400 | 416;
}

/** The bases that answer a request, in order, or the error that does. */
export type SubsequencePlan =
  /** Without start, end and Range: 200. */
  | { readonly kind: 'whole'; readonly intervals: readonly BaseRange[] }
  /** By start and end: 200. Two intervals if it wraps around the origin. */
  | { readonly kind: 'query'; readonly intervals: readonly BaseRange[] }
  /** By Range: 206. */
  | { readonly kind: 'range'; readonly intervals: readonly BaseRange[]; readonly contentRange: string }
  /** `contentRange` is set if the Range could not be satisfied. */
  | { readonly kind: 'refused'; readonly error: RefgetError; readonly contentRange?: string };

/**
 * Decides which bases answer a request (refget 2.0.0, "GET /sequence/{id}" and "Errors"). Intervals are never empty.
 *
 * @example
 * const rules = { length: 10, circular: true, circularSupported: true, subsequenceLimit: 0, rangeOutOfBounds: 400 } as const;
 * planSubsequence({ start: 8, end: 2, range: null }, rules);
 * // { kind: 'query', intervals: [{ start: 8, end: 10 }, { start: 0, end: 2 }] }
 */
export function planSubsequence(query: SubsequenceQuery, rules: SubsequenceRules): SubsequencePlan {
  const { start, end, range } = query;
  const hasCoordinates = start !== undefined || end !== undefined;
  if (hasCoordinates && range !== null) {
    return refuse('Bad Request', 'start and end cannot be combined with a Range header');
  }
  if (range !== null) return planRange(range, rules);
  if (hasCoordinates) return planCoordinates({ start: start ?? 0, end: end ?? rules.length }, rules);
  return { kind: 'whole', intervals: withoutEmpty([{ start: 0, end: rules.length }]) };
}

function planCoordinates({ start, end }: BaseRange, rules: SubsequenceRules): SubsequencePlan {
  const { length } = rules;
  if (start > length) return refuse('Bad Request', `start ${start} is greater than the length ${length}`);
  if (end > length) return refuse('Range Not Satisfiable', `end ${end} is greater than the length ${length}`);
  if (start === length && length > 0) {
    return refuse('Range Not Satisfiable', `start ${start} is after the last base`);
  }
  if (start <= end) return planIntervals([{ start, end }], rules);
  if (!rules.circularSupported) {
    return refuse('Not Implemented', 'start is greater than end, and this service does not support circular sequences');
  }
  if (!rules.circular) {
    return refuse('Range Not Satisfiable', 'start is greater than end, and the sequence is not circular');
  }
  return planIntervals(
    [
      { start, end: length },
      { start: 0, end },
    ],
    rules,
  );
}

function planIntervals(intervals: readonly BaseRange[], { subsequenceLimit }: SubsequenceRules): SubsequencePlan {
  const error = overLimit(intervals, subsequenceLimit);
  return error === undefined ? { kind: 'query', intervals: withoutEmpty(intervals) } : { kind: 'refused', error };
}

function planRange(header: string, { length, subsequenceLimit, rangeOutOfBounds }: SubsequenceRules): SubsequencePlan {
  const parsed = parseRangeHeader(header, length);
  if (parsed.kind === 'range') {
    const intervals = [parsed.range];
    const error = overLimit(intervals, subsequenceLimit);
    if (error !== undefined) return { kind: 'refused', error, contentRange: toContentRange(undefined, length) };
    return { kind: 'range', intervals, contentRange: toContentRange(parsed.range, length) };
  }
  if (parsed.kind !== 'unsatisfiable') {
    return refuse('Bad Request', 'the Range header must hold one range of bytes, such as bytes=0-9');
  }
  const isOutOfBounds = parsed.reason === 'beyond-end';
  const code = isOutOfBounds && rangeOutOfBounds === 400 ? 'Bad Request' : 'Range Not Satisfiable';
  const message = isOutOfBounds
    ? `the Range selects no bases of a sequence of length ${length}`
    : 'the first byte of the Range is greater than the last';
  return { ...refuse(code, message), contentRange: toContentRange(undefined, length) };
}

function overLimit(intervals: readonly BaseRange[], limit: number): RefgetError | undefined {
  const length = totalLength(intervals);
  if (limit === 0 || length <= limit) return undefined;
  return new RefgetError('Range Not Satisfiable', `${length} bases exceed the limit of ${limit} for a subsequence`);
}

/** Returns the number of bases of all intervals. */
export function totalLength(intervals: readonly BaseRange[]): number {
  return intervals.reduce((length, { start, end }) => length + end - start, 0);
}

function withoutEmpty(intervals: readonly BaseRange[]): readonly BaseRange[] {
  return intervals.filter(({ start, end }) => start < end);
}

function refuse(code: RefgetErrorCode, message: string): Extract<SubsequencePlan, { kind: 'refused' }> {
  return { kind: 'refused', error: new RefgetError(code, message) };
}
