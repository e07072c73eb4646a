import { describeFileError } from '@htskit/catalogue/internal';
import { ClientError } from '@htskit/client';
import { StorageError } from '@htskit/io';

/** A mistake in how a command was typed: the process exits with 2 and prints the message beside the usage. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** An error of a system call, with the properties that Node adds to it. */
interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** Reasons why a connection fails, by the code of the error. */
const CONNECTION_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host name lookup failed',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
};

/** Returns the message of an error and of its causes, each once and without a stack, for a log. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = describeSystemError(error) ?? error.message;
  if (error.cause === undefined) return message;
  const cause = describeLookup(error.cause) ?? describeError(error.cause);
  return message.includes(cause) ? message : `${message}: ${cause}`;
}

/** Returns the reason of a request whose host was not found. As a cause, this is not about an address to listen on. */
function describeLookup(cause: unknown): string | undefined {
  const { code, syscall, hostname }: Partial<SystemError> = cause instanceof Error ? cause : {};
  return syscall === 'getaddrinfo' && code !== undefined
    ? `${hostname}: ${CONNECTION_FAILURES[code] ?? code}`
    : undefined;
}

/** Returns the message of an error for the person who runs a command: it names the remedy if there is one. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ClientError) return describeClientError(error);
  if (error instanceof StorageError) return describeStorageError(error);
  return describeSystemError(error) ?? error.message;
}

/** Returns the error with the path of its file before the message. A `UsageError` is returned as it is. */
export function ofFile(path: string, error: unknown): Error {
  if (error instanceof UsageError) return error;
  const reason = describeFailure(error);
  // Some errors begin with the path already.
  return new Error(reason.startsWith(`${path}: `) ? reason : `${path}: ${reason}`, { cause: error });
}

/** Adds the host and the reason if no connection was made. The message of the cause may hold the URL, so it is left out. */
function describeClientError({ message, code, cause }: ClientError): string {
  if (code !== 'NETWORK' || !(cause instanceof Error)) return message;
  const { code: reason, address, hostname, port } = firstFailure(cause.cause);
  if (reason === undefined) return message;
  const host = address ?? hostname;
  if (host === undefined) return `${message}: ${CONNECTION_FAILURES[reason] ?? reason}`;
  const authority = `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;
  return `cannot connect to ${authority}: ${CONNECTION_FAILURES[reason] ?? reason}`;
}

/** A host with several addresses fails with an AggregateError, which holds one error for each of them. */
function firstFailure(cause: unknown): Partial<SystemError> {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first : {};
}

/** Adds the cause if it is an error of ours, such as missing credentials. Those of `fetch` and the system may hold the URL. */
function describeStorageError({ message, cause }: StorageError): string {
  const isOurs = cause instanceof Error && cause.name === 'Error' && !('code' in cause);
  return isOurs ? `${message}: ${cause.message}` : message;
}

/** Returns a message with a remedy for the common errors of the system, and undefined for every other error. */
function describeSystemError(error: Error): string | undefined {
  const { code, syscall, address, port, hostname }: SystemError = error;
  // A process of a cluster reports the call that the primary process made.
  const isListening = syscall === 'listen' || syscall === 'bind';
  if (isListening && code === 'EADDRINUSE') {
    return `cannot listen on ${address}:${port}: the port is in use; use another --port, or 0 for a free one (${code})`;
  }
  if (isListening && code === 'EACCES') {
    return `cannot listen on port ${port}: permission denied; use a port of 1024 or above`;
  }
  if ((isListening && code === 'EADDRNOTAVAIL') || syscall === 'getaddrinfo') {
    return `cannot listen on ${address ?? hostname}: not an address of this machine; use --host 0.0.0.0 for all of them (${code})`;
  }
  return describeFileError(error);
}
