import { describeSystemError } from './describe-system-error.js';

/** The error and what caused it, each once, without a stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = describeSystemError(error) ?? error.message;
  if (error.cause === undefined) return message;
  const cause = describeError(error.cause);
  return message.includes(cause) ? message : `${message}: ${cause}`;
}
