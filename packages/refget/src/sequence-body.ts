import { readChunks, startByteStream } from '@htskit/io';
import type { BaseRange, Sequence } from '@htskit/sequences';
import { isBare, joinBytes, type SequenceFrame, SequenceFramer } from './sequence-frame.js';
import { totalLength } from './subsequence-plan.js';

export interface SequenceBodyOptions {
  /** Not empty, each. */
  readonly intervals: readonly BaseRange[];
  readonly frame: SequenceFrame;
  /** Its signal ends the reading of many bases. To make one takes as long as to read a few, so it isn't asked for then. */
  readonly request: Pick<Request, 'signal'>;
  /** Told of a failure after the first bytes, which clients can only see as a truncation. */
  readonly onError: (error: unknown) => void;
}

/** Bases up to which an answer is made at once: a stream would cost more than the bases. */
const SHORT_BASES = 65_536;

/**
 * The bases of the intervals in their frame: bytes if they are few, and otherwise a stream that reads on as the client
 * does, and stops with it. Waits for the first bases, so that what fails at once can still be answered with an error.
 */
export async function toSequenceBody(
  sequence: Sequence,
  { intervals, frame, request, onError }: SequenceBodyOptions,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const framer = new SequenceFramer(frame);
  if (totalLength(intervals) <= SHORT_BASES) {
    const [first, ...others] = intervals;
    // The usual one, which is there already: to join it with nothing took a tenth of the time of an answer.
    if (first !== undefined && others.length === 0 && isBare(frame)) return sequence.read(first);
    const reads = await Promise.all(intervals.map((interval) => sequence.read(interval)));
    const parts = reads.map((bases) => framer.push(bases));
    return joinBytes(...parts, framer.finish());
  }
  return startByteStream(frameChunks(streamIntervals(sequence, intervals, request.signal), framer), onError);
}

async function* streamIntervals(
  sequence: Sequence,
  intervals: readonly BaseRange[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for (const interval of intervals) yield* readChunks(sequence.stream(interval, { signal }));
}

async function* frameChunks(
  chunks: AsyncGenerator<Uint8Array, void>,
  framer: SequenceFramer,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) yield framer.push(chunk);
  const end = framer.finish();
  if (end.length > 0) yield end;
}
