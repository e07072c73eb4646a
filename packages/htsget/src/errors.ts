import { BgzfError } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import { StorageError } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';

/** Seconds after which a client may repeat a request that failed transiently. */
const RETRY_AFTER_SECONDS = 5;

/** Maps a failure to the error that the client sees. Corrupt or missing data of a known object is never NotFound. */
export function toHtsgetError(error: unknown): HtsgetError {
  if (error instanceof HtsgetError) return error;
  if (error instanceof StorageError) return fromStorageError(error);
  if (error instanceof BgzfError || error instanceof FormatError || error instanceof IndexError) {
    const message = `the stored file or its index is corrupt: ${error.message}`;
    return new HtsgetError('InternalServerError', message, { cause: error });
  }
  return new HtsgetError('InternalServerError', 'internal error', { cause: error });
}

function fromStorageError(error: StorageError): HtsgetError {
  if (error.code === 'CHANGED') {
    const message = 'the file has changed since the ticket was issued; request a new ticket';
    return new HtsgetError('InvalidInput', message, { status: 409, cause: error });
  }
  return error.isTransient
    ? new HtsgetError('InternalServerError', 'the storage is temporarily unavailable', {
        status: 503,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      })
    : new HtsgetError('InternalServerError', 'the stored file cannot be read', { cause: error });
}
