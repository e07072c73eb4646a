/** A chunk of 64 KiB. */
export const CHUNK: Uint8Array = Uint8Array.from({ length: 65_536 }, (_, index) => (index * 7) % 256);

export interface ChunkStreamEvents {
  readonly onPull?: () => void;
  readonly onCancel?: () => void;
}

/** Creates a stream of `count` chunks, each of which is created when it is pulled. */
export function chunkStream(count: number, { onPull, onCancel }: ChunkStreamEvents = {}): ReadableStream<Uint8Array> {
  let left = count;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onPull?.();
        if (left > 0) controller.enqueue(CHUNK);
        else controller.close();
        left -= 1;
      },
      cancel: () => onCancel?.(),
    },
    { highWaterMark: 0 },
  );
}

/** Creates a stream with one chunk per step. A step that throws errors the stream. */
export function scriptedStream(
  steps: ReadonlyArray<() => Uint8Array | Promise<Uint8Array>>,
  onCancel?: () => void,
): ReadableStream<Uint8Array> {
  const left = [...steps];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = left.shift();
        if (step === undefined) controller.close();
        else controller.enqueue(await step());
      },
      cancel: () => onCancel?.(),
    },
    { highWaterMark: 0 },
  );
}
