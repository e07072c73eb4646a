import { ClientError } from '@htskit/client';
import { StorageError } from '@htskit/io';
import { describeSystemError } from './describe-system-error.js';
import { UsageError } from './usage-error.js';

/** The error for whoever runs a command: what the system refuses by a name alone is told with what to do about it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ClientError) return describeClientError(error);
  if (error instanceof StorageError) return describeStorageError(error);
  return describeSystemError(error) ?? error.message;
}

/** For `catch`: the error with the path of the file that it is about, which people are to look for. */
export function ofFile(path: string, error: unknown): Error {
  if (error instanceof UsageError) return error;
  const reason = describeFailure(error);
  // Some errors begin with the path already.
  return new Error(reason.startsWith(`${path}: `) ? reason : `${path}: ${reason}`, { cause: error });
}

function describeClientError({ message, code, cause }: ClientError): string {
  if (code !== 'NETWORK' || !(cause instanceof Error)) return message;
  // That of fetch, whose message may hold the URL.
  const { code: reason } = Object(cause.cause) as { readonly code?: unknown };
  return typeof reason === 'string' ? `${message}: ${reason}` : message;
}

/** With the cause where it is an error of ours, such as that of credentials: those of fetch and the system are of other kinds. */
function describeStorageError({ message, cause }: StorageError): string {
  const isOurs = cause instanceof Error && cause.name === 'Error' && !('code' in cause);
  return isOurs ? `${message}: ${cause.message}` : message;
}
