import { ClientError } from '@htskit/client';

/** The error and what caused it, each once, without a stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause === undefined) return error.message;
  const cause = describeError(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

/** The error for whoever runs a command; of a server that cannot be reached, also what the system calls that. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof ClientError) || error.code !== 'NETWORK' || !(error.cause instanceof Error))
    return error.message;
  // That of fetch, whose message may hold the URL.
  const { code } = Object(error.cause.cause) as { readonly code?: unknown };
  return typeof code === 'string' ? `${error.message}: ${code}` : error.message;
}
