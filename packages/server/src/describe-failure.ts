import { ClientError } from '@htskit/client';
import { UsageError } from './usage-error.js';

/** The error for whoever runs a command: what the system refuses by a name alone is told with what to do about it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ClientError) return describeClientError(error);
  return describeSystemError(error) ?? error.message;
}

/** For `catch`: the error with the path of the file that it is about, which people are to look for. */
export function ofFile(path: string, error: unknown): Error {
  if (error instanceof UsageError) return error;
  return new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

function describeClientError({ message, code, cause }: ClientError): string {
  if (code !== 'NETWORK' || !(cause instanceof Error)) return message;
  // That of fetch, whose message may hold the URL.
  const { code: reason } = Object(cause.cause) as { readonly code?: unknown };
  return typeof reason === 'string' ? `${message}: ${reason}` : message;
}

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

function describeSystemError({ code, syscall, path, address, port, hostname }: SystemError): string | undefined {
  if (code === 'ENOENT' && path !== undefined) return `there is no such file or folder: ${path} (${code})`;
  if (code === 'EACCES' && path !== undefined) return `this user may not read or write it: ${path} (${code})`;
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `port ${port} of ${address} is taken by another program: give another --port, or 0 for a free one (${code})`;
  }
  if (syscall === 'listen' && code === 'EACCES')
    return `this user may not listen on port ${port}: give one from 1024 on`;
  if ((syscall === 'listen' && code === 'EADDRNOTAVAIL') || syscall === 'getaddrinfo') {
    return `${address ?? hostname} is no address of this machine: --host 0.0.0.0 is all that it has (${code})`;
  }
  return undefined;
}
