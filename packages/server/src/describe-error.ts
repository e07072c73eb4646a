/** The error and what caused it, each once, without a stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause === undefined) return error.message;
  const cause = describeError(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
