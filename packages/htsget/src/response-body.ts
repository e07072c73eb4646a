/**
 * A body from a generator: pulled at the client's pace, returned from when the client leaves. Waits for the first
 * bytes, so that what fails at once is still answered with an error; what fails later breaks the body off, which
 * clients see as a truncation, after `onError` was told.
 */
export async function toResponseBody(
  bytes: AsyncGenerator<Uint8Array>,
  onError: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  let pending: IteratorResult<Uint8Array> | undefined = await bytes.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = pending ?? (await bytes.next());
          pending = undefined;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onError(error);
          throw error;
        }
      },
      async cancel() {
        await bytes.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
