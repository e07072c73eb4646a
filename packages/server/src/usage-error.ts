/** A mistake in how a command was typed: the process exits with 2 and prints the message beside the usage. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
