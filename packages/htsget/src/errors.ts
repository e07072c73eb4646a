import { BgzfError } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import { StorageError } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';

/** Seconds after which a client may try again what failed for the moment. */
const RETRY_AFTER_SECONDS = 5;

/** Turns whatever failed into the error that the client is told. A fault of the data is never a NotFound. */
export function toHtsgetError(error: unknown): HtsgetError {
  if (error instanceof HtsgetError) return error;
  if (error instanceof StorageError) return fromStorageError(error);
  if (error instanceof BgzfError || error instanceof FormatError || error instanceof IndexError) {
    return new HtsgetError('InternalServerError', `the stored file or its index is corrupt: ${error.message}`, {
      cause: error,
    });
  }
  return new HtsgetError('InternalServerError', 'the service failed', { cause: error });
}

function fromStorageError(error: StorageError): HtsgetError {
  if (error.code === 'CHANGED') {
    return new HtsgetError('InvalidInput', 'the file has changed since the ticket was issued; request a new ticket', {
      status: 409,
      cause: error,
    });
  }
  return error.isTransient
    ? new HtsgetError('InternalServerError', 'the storage does not answer for the moment', {
        status: 503,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      })
    : new HtsgetError('InternalServerError', 'the stored file cannot be read', { cause: error });
}
