import { concatBytes, type ObjectStream, toByteStream } from '@htskit/io';
import { checkedContent } from '../bucket/checked-content.js';
import { type R2Context, withR2Errors } from './r2-errors.js';

/** workerd's stream of a known length, which R2 requires. */
type FixedLengthStreamClass = new (byteLength: number) => TransformStream<Uint8Array, Uint8Array>;

/**
 * Puts chunks as they arrive, and returns what the put does. Throws what the chunks throw. Outside of workerd, where a binding is a
 * proxy that takes no streams of known length, the chunks are collected.
 */
export async function putStream<Result>(
  content: ObjectStream,
  put: (value: Uint8Array | ReadableStream) => Promise<Result>,
  context: R2Context,
): Promise<Result> {
  const { FixedLengthStream } = globalThis as { readonly FixedLengthStream?: FixedLengthStreamClass };
  const chunks = checkedContent(content, context);
  if (FixedLengthStream === undefined) {
    const collected: Uint8Array[] = [];
    for await (const chunk of chunks) collected.push(chunk);
    return withR2Errors(put(concatBytes(collected)), context);
  }
  const failures: unknown[] = [];
  const ended = new AbortController();
  const { readable, writable } = new FixedLengthStream(content.size);
  // A failure of the chunks, and the end of the pipe, reach the put by way of its stream.
  toByteStream(withLastHeld(chunks, failures))
    .pipeTo(writable, { signal: ended.signal })
    .catch(() => undefined);
  try {
    return await withR2Errors(put(readable), context);
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error;
  } finally {
    // A put whose condition is not met ends before its stream.
    ended.abort();
  }
}

/**
 * Yields each chunk when the next one has arrived: R2 stores an object as soon as it has as many bytes as declared, and too many must
 * fail. Failures are recorded.
 */
async function* withLastHeld(
  chunks: AsyncGenerator<Uint8Array, void>,
  failures: unknown[],
): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array | undefined;
  try {
    for await (const chunk of chunks) {
      if (held !== undefined) yield held;
      held = chunk;
    }
  } catch (error) {
    failures.push(error);
    throw error;
  }
  if (held !== undefined) yield held;
}
