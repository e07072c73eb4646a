/**
 * Yields the chunks of a stream. While the consumer works on a chunk, `count` more are requested. The stream is cancelled when the
 * consumer stops.
 */
export async function* readAhead(stream: ReadableStream<Uint8Array>, count: number): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  const pending: Promise<ReadableStreamReadResult<Uint8Array>>[] = [];
  const request = (): void => {
    const chunk = reader.read();
    // A consumer who stops does not wait for it.
    chunk.catch(() => undefined);
    pending.push(chunk);
  };
  try {
    for (;;) {
      while (pending.length <= count) request();
      const next = await pending.shift();
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
