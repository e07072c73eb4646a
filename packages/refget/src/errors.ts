import { StorageError } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';

/** Seconds after which a client may try again what failed for the moment. */
const RETRY_AFTER_SECONDS = 5;

/** Turns whatever failed into the error that the client is told. A fault of the data is never a Not Found. */
export function toRefgetError(error: unknown): RefgetError {
  if (error instanceof RefgetError) return error;
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  if (error instanceof StorageError && error.code === 'CHANGED') {
    return new RefgetError('Service Unavailable', 'the stored sequences are being replaced', {
      cause: error,
      retryAfterSeconds,
    });
  }
  if (error instanceof StorageError && error.isTransient) {
    return new RefgetError('Service Unavailable', 'the storage does not answer for the moment', {
      cause: error,
      retryAfterSeconds,
    });
  }
  return new RefgetError('Internal Server Error', 'the sequence cannot be read', { cause: error });
}
