import { StorageError } from '@htskit/io';
import { toAbortedError, unlessAborted } from '@htskit/io/internal';

/** The object of an operation, and the signal that ends it. */
export interface R2Context {
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
}

/** R2, "Error codes": NoSuchKey. */
const NO_SUCH_KEY = 10007;
/** InternalError, ServiceUnavailable, and TooManyRequests, which is answered to more than one write per second of a key. */
const TRANSIENT: ReadonlySet<number> = new Set([10001, 10043, 10058]);

/**
 * Returns the `StorageError` of what a binding throws: an Error whose message ends with the code of R2 in brackets, or without any if the
 * connection to R2 was lost.
 */
export function toR2Error(error: unknown, { key, signal }: R2Context): StorageError {
  if (signal?.aborted === true) return toAbortedError(signal, key);
  if (error instanceof StorageError) return error;
  const code = r2Code(error);
  if (code === NO_SUCH_KEY) return new StorageError('NOT_FOUND', 'there is no such object', { key, cause: error });
  const isTransient = code === undefined || TRANSIENT.has(code);
  const message = code === undefined ? 'R2 does not answer' : `R2 answered with error ${code}`;
  return new StorageError('UNAVAILABLE', message, { key, isTransient, cause: error });
}

/** Returns the code of R2 in an error, or undefined if there is none. */
function r2Code(error: unknown): number | undefined {
  const [, code] = /\((\d+)\)$/.exec(error instanceof Error ? error.message : '') ?? [];
  return code === undefined ? undefined : Number(code);
}

/** Waits for the answer to a request, which R2 cannot abort, until the signal is aborted. Failures are `StorageError`s. */
export async function withR2Errors<Result>(request: Promise<Result>, context: R2Context): Promise<Result> {
  try {
    return await unlessAborted(request, context.signal, context.key);
  } catch (error) {
    throw toR2Error(error, context);
  }
}
