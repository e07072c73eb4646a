import { readChunks } from './byte-stream.js';
import type { BaseRange, Sequence } from './sequence.js';
import { joinBytes, type SequenceFrame, SequenceFramer } from './sequence-frame.js';
import { totalLength } from './subsequence-plan.js';

export interface SequenceBodyOptions {
  /** Not empty, each. */
  readonly intervals: readonly BaseRange[];
  readonly frame: SequenceFrame;
  readonly signal: AbortSignal;
  /** Told of a failure after the first bytes, which clients can only see as a truncation. */
  readonly onError: (error: unknown) => void;
}

/**
 * The bases of the intervals in their frame. Waits for the first ones, so that what fails at once can still be answered
 * with an error. Bytes where these are all; otherwise a stream that reads on as the client does, and stops with it.
 */
export async function toSequenceBody(
  sequence: Sequence,
  { intervals, frame, signal, onError }: SequenceBodyOptions,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const framer = new SequenceFramer(frame);
  const chunks = readIntervals(sequence, intervals, signal);
  const first = await chunks.next();
  if (first.done === true) return joinBytes(framer.finish());
  if (first.value.length < totalLength(intervals)) {
    return streamBody({ first: first.value, chunks, framer, onError });
  }
  await chunks.return();
  return joinBytes(framer.push(first.value), framer.finish());
}

async function* readIntervals(
  sequence: Sequence,
  intervals: readonly BaseRange[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for (const interval of intervals) yield* readChunks(sequence.stream(interval, { signal }));
}

interface PendingBody extends Pick<SequenceBodyOptions, 'onError'> {
  readonly first: Uint8Array;
  readonly chunks: AsyncGenerator<Uint8Array, void>;
  readonly framer: SequenceFramer;
}

function streamBody({ first, chunks, framer, onError }: PendingBody): ReadableStream<Uint8Array> {
  let pending: Uint8Array | undefined = first;
  let isCancelled = false;
  const next = async (): Promise<Uint8Array | undefined> => {
    const bases = pending ?? (await chunks.next()).value;
    pending = undefined;
    // The value of a generator that has ended is void.
    return bases ?? undefined;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bases = await next();
          if (bases !== undefined) return controller.enqueue(framer.push(bases));
          const end = framer.finish();
          if (end.length > 0) controller.enqueue(end);
          controller.close();
        } catch (error) {
          if (!isCancelled) onError(error);
          throw error;
        }
      },
      async cancel() {
        isCancelled = true;
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}
