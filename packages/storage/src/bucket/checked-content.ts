import { checkContentSize, checkNotAborted, type ObjectStream } from '@htskit/io';

/** The object that a put writes, and the signal that ends it early. */
interface PutContext {
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
}

/** Yields the chunks of an object until the signal is aborted. Throws INVALID_CONTENT unless they have the declared size. */
export async function* checkedContent(
  content: Uint8Array | ObjectStream | AsyncIterable<Uint8Array>,
  { key, signal }: PutContext,
): AsyncGenerator<Uint8Array, void> {
  if (content instanceof Uint8Array) {
    yield content;
    return;
  }
  let length = 0;
  for await (const chunk of 'chunks' in content ? content.chunks : content) {
    checkNotAborted(signal, key);
    length += chunk.length;
    if ('size' in content && length > content.size) checkContentSize(length, content, key);
    yield chunk;
  }
  checkNotAborted(signal, key);
  if ('size' in content) checkContentSize(length, content, key);
}
