import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import { readChunks, StorageError, toBase64Url, toByteStream } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';

/** The user of a request, as a store sees it: the headers that are forwarded. */
export interface Caller {
  /** The forwarded headers by their names in lower case. Empty if there are none. */
  readonly headers: Readonly<Record<string, string>>;
  /** A hash of the headers, which distinguishes users in the keys of caches. Empty if no header is forwarded. */
  readonly key: string;
}

/** Everybody. */
const ANYBODY: Caller = { headers: {}, key: '' };

/** Returns the caller of a request. Only the named headers are looked at. */
export async function callerOf(names: readonly string[], headers: Headers | undefined): Promise<Caller> {
  if (names.length === 0) return ANYBODY;
  const forwarded = names.flatMap((name) => {
    const value = headers?.get(name);
    return value === null || value === undefined ? [] : [[name.toLowerCase(), value] as const];
  });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(forwarded)));
  return { headers: Object.fromEntries(forwarded), key: toBase64Url(new Uint8Array(digest)) };
}

/**
 * Returns the error that a caller sees for the refusal of a store that decides with the caller's credentials: InvalidAuthentication for
 * 401, PermissionDenied otherwise, also for what does not exist. Other errors are returned as they are.
 */
export function toCallerError(error: unknown): unknown {
  if (!(error instanceof StorageError) || error.code !== 'ACCESS_DENIED') return error;
  if (error.status === 401) {
    return new HtsgetError('InvalidAuthentication', 'the archive requires a valid token', { cause: error });
  }
  return new HtsgetError('PermissionDenied', 'the archive refuses access to this object', { cause: error });
}

/** Returns a source whose refusals are those that the caller sees. */
export function callerSource(source: ByteSource): ByteSource {
  return new CallerSource(source);
}

class CallerSource implements ByteSource {
  readonly key: string;
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.key = source.key;
    this.#source = source;
  }

  stat(options?: StatOptions): Promise<SourceStat> {
    return this.#source.stat(options).catch(rethrow);
  }

  read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array> {
    return this.#source.read(range, options).catch(rethrow);
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    const chunks = readForCaller(this.#source.stream(range, options));
    return toByteStream(chunks, { signal: options.signal, key: this.key });
  }

  async close(): Promise<void> {
    await this.#source.close?.();
  }
}

function rethrow(error: unknown): never {
  throw toCallerError(error);
}

async function* readForCaller(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* readChunks(stream);
  } catch (error) {
    throw toCallerError(error);
  }
}
