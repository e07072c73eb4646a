interface PendingChunks {
  readonly chunks: AsyncGenerator<Uint8Array, void>;
  /** What was already taken from the generator. */
  readonly first?: IteratorResult<Uint8Array, void>;
  readonly onError?: (error: unknown) => void;
}

/** A stream that asks the generator for a chunk when its consumer asks for one, and ends it when it is cancelled. */
export function toByteStream(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return createStream({ chunks });
}

/**
 * As `toByteStream`, once the first chunk is there: what fails at once rejects, so that it can still be answered with an
 * error. What fails later breaks the stream off after `onError` was told, unless the stream was cancelled before.
 */
export async function startByteStream(
  chunks: AsyncGenerator<Uint8Array, void>,
  onError: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  return createStream({ chunks, first: await chunks.next(), onError });
}

function createStream({ chunks, first, onError }: PendingChunks): ReadableStream<Uint8Array> {
  let pending = first;
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = pending ?? (await chunks.next());
          pending = undefined;
          if (isCancelled) return;
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (!isCancelled) onError?.(error);
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
