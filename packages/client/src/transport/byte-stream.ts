/** A stream that asks the generator for a chunk when its consumer asks for one. `abort` ends what the generator waits for. */
export function toByteStream(
  chunks: AsyncGenerator<Uint8Array, void>,
  abort: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        abort(reason ?? new DOMException('the stream was cancelled', 'AbortError'));
        await chunks.return().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
