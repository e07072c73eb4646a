import {
  type ByteRange,
  type ByteSource,
  checkNotAborted,
  type ReadOptions,
  StorageError,
  toByteStream,
} from '@htskit/io';

/** A source in memory that counts what is read. */
export interface StoredSource extends ByteSource {
  readonly requests: ByteRange[];
  readonly bytesRead: () => number;
  /** Replaces the file by another version. */
  replace(bytes: Uint8Array): void;
}

let sourceCount = 0;

export function storedSource(initial: Uint8Array, chunkBytes = 100_000): StoredSource {
  sourceCount += 1;
  const key = `stored:${sourceCount}`;
  const requests: ByteRange[] = [];
  let bytes = initial;
  let version = 1;
  let bytesRead = 0;
  const take = ({ start, end }: ByteRange, { signal, version: expected }: ReadOptions): Uint8Array => {
    checkNotAborted(signal, key);
    if (expected !== undefined && expected !== `${version}`)
      throw new StorageError('CHANGED', 'it was replaced', { key });
    const part = bytes.slice(start, end);
    bytesRead += part.length;
    return part;
  };
  async function* chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    for (let at = range.start; at < Math.min(range.end, bytes.length); at += chunkBytes) {
      yield take({ start: at, end: Math.min(range.end, at + chunkBytes) }, options);
    }
  }
  return {
    key,
    requests,
    bytesRead: () => bytesRead,
    replace(replacement) {
      bytes = replacement;
      version += 1;
    },
    async stat({ signal } = {}) {
      checkNotAborted(signal, key);
      return { size: bytes.length, version: `${version}` };
    },
    async read(range, options = {}) {
      requests.push(range);
      return take(range, options);
    },
    stream(range, options = {}) {
      requests.push(range);
      return toByteStream(chunks(range, options), { signal: options.signal, key });
    },
  };
}
