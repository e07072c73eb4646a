import { SequenceDigester } from '@htskit/digest';
import type { BaseRange, Sequence, SequenceMetadata } from '@htskit/sequences';

/** A sequence in memory that records its reads. */
export interface TextSequence extends Sequence {
  readonly reads: BaseRange[];
  /** Streams that were cancelled before their end. */
  cancelled: number;
}

export interface TextSequenceOptions extends Partial<Pick<SequenceMetadata, 'aliases' | 'circular'>> {
  /** Bases per chunk of a stream. */
  readonly chunkLength?: number;
  /** Number of bases after which reads fail. */
  readonly failsAfter?: number;
  readonly failure?: Error;
}

/** Creates a sequence of upper-case letters that is streamed in small chunks. */
export function textSequence(text: string, options: TextSequenceOptions = {}): TextSequence {
  const { aliases = [], circular = false, chunkLength = 4, failsAfter, failure } = options;
  const bytes = new TextEncoder().encode(text);
  const sequence: TextSequence = {
    metadata: { ...new SequenceDigester().update(bytes).digest(), aliases, circular },
    reads: [],
    cancelled: 0,
    read({ start, end }) {
      sequence.reads.push({ start, end });
      const fails = failsAfter !== undefined && end - start > failsAfter;
      return fails
        ? Promise.reject(failure ?? new Error('no failure given'))
        : Promise.resolve(bytes.slice(start, end));
    },
    stream({ start, end }) {
      sequence.reads.push({ start, end });
      let at = start;
      return new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (failsAfter !== undefined && at - start >= failsAfter) throw failure ?? new Error('no failure given');
            const chunkEnd = Math.min(at + chunkLength, end);
            controller.enqueue(bytes.slice(at, chunkEnd));
            at = chunkEnd;
            if (at === end) controller.close();
          },
          cancel() {
            sequence.cancelled += 1;
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
  return sequence;
}
