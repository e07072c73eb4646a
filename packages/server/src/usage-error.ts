/** A command that is none: its message is for whoever typed it. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
