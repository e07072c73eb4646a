import { describeFileError } from '@htskit/catalogue/internal';
import { ClientError } from '@htskit/client';
import { StorageError } from '@htskit/io';
import { toServiceUrl } from './service-url.js';
import { UsageError } from './usage-error.js';

export { UsageError };

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
  UND_ERR_SOCKET: 'connection closed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS; use http://',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed; set NODE_EXTRA_CA_CERTS to trust it',
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

/** The remedy for CRAM whose reference is not available. The error that `ofFile` makes of such an error has it already. */
const REMEDY = 'use -T FILE to name the FASTA with its bases';

/** Returns the message of an error for the person who runs a command: it names the remedy if there is one. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message === UNCONNECTED) return describeConnection(error);
  if (isMissingReference(error) && !error.message.endsWith(REMEDY)) return `${error.message}; ${REMEDY}`;
  if (error instanceof StorageError) return describeStorageError(error);
  return describeSystemError(error) ?? error.message;
}

/** Returns whether CRAM cannot be decoded because a reference is not available. */
function isMissingReference(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('code' in error && error.code === 'MISSING_REFERENCE') || isMissingReference(error.cause))
  );
}

/** Returns the error with the path of its file before the message. A `UsageError` is returned as it is. */
export function ofFile(path: string, error: unknown): Error {
  if (error instanceof UsageError) return error;
  const reason = describeFailure(error);
  // Some errors begin with the path already.
  return new Error(reason.startsWith(`${path}: `) ? reason : `${path}: ${reason}`, { cause: error });
}

/** The message of every connection that failed, whichever package needed it. */
const UNCONNECTED = 'cannot connect to the server';

/** Adds the host and the reason. The message of the cause may hold the URL, so it is left out. */
function describeConnection({ message, cause }: Error): string {
  const failure = cause instanceof Error ? firstFailure(cause.cause) : {};
  const { code, address, hostname, port } = failure;
  // Some causes have no code, such as "bad port".
  const reason = code === undefined ? failure.message : (CONNECTION_FAILURES[code] ?? code);
  if (reason === undefined) return message;
  const host = address ?? hostname;
  if (host === undefined) return `${message}: ${reason}`;
  const authority = `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;
  return `cannot connect to ${authority}: ${reason}`;
}

/** The messages about an answer that is not a ticket. */
const NO_TICKET = ['expected a JSON object', 'expected an object "htsget"'];

/**
 * Returns the error of a request to a URL with a message that names its host, and what to ask for if there is no htsget service.
 * The query of the URL and its credentials are left out. Other errors are returned as they are.
 */
export function ofUrl(url: string, error: unknown): unknown {
  const parsed = toServiceUrl(url);
  if (!(error instanceof Error) || error instanceof UsageError || parsed === undefined) return error;
  const { protocol, hostname, port, pathname, host } = parsed;
  const reason = describeFailure(error);
  if (reason.startsWith(UNCONNECTED)) {
    const authority = `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
    return new Error(reason.replace(UNCONNECTED, `cannot connect to ${authority}`), { cause: error });
  }
  if (!(error instanceof ClientError)) return error;
  const { code, status, error: name, message } = error;
  const base = `${protocol}//${host}`;
  const expected = `expected ${base}/reads/ID or ${base}/variants/ID; htskit ls ${base}/ lists them`;
  if (code === 'INVALID_TICKET' && NO_TICKET.includes(message)) {
    return new Error(`${base}${pathname} is not an htsget URL; ${expected}`, { cause: error });
  }
  if (status !== 404 || name !== undefined) return error;
  return new Error(`${message}: there is no htsget service at this URL; ${expected}`, { cause: error });
}

/** Returns the error of the first address: a host with several fails with an AggregateError. */
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
