import { checkNamingAuthority } from '@htskit/sequences';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Parses the value of an option that is a naming authority. */
export function parseNamingAuthority(text: string): string {
  try {
    checkNamingAuthority(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Creates the option that selects what the sequences of a FASTA consist of. */
export function charactersOption(): Option {
  return new Option(
    '--characters <which>',
    'what sequences consist of: letters, with a warning about all else; strict: letters, refusing all else; ' +
      'sam: all printable characters, like samtools dict (default: letters)',
  ).choices(['letters', 'strict', 'sam']);
}

/** Collects the values of an option that may be repeated. */
export function addValue(text: string, previous: readonly string[]): readonly string[] {
  return [...previous, text];
}

/** Options that apply to only one kind of target: the name of the flag, and how it is written. */
export interface TargetOptions {
  readonly file: Readonly<Record<string, string>>;
  readonly url: Readonly<Record<string, string>>;
}

/**
 * Returns whether a target is a URL rather than a file. Ends the command with a usage error for a URL of another scheme, and
 * for an option that does not apply to the target.
 */
export function isUrlTarget(target: string, command: Command, options: TargetOptions): boolean {
  const isUrl = /^https?:\/\//i.test(target);
  // The URL is not repeated, since it may hold a secret.
  if (!isUrl && /^[a-z][a-z\d+.-]*:\/\//i.test(target)) command.error('error: a URL begins with http:// or https://');
  for (const [flag, name] of Object.entries(isUrl ? options.file : options.url)) {
    if (command.getOptionValueSource(flag) !== 'cli') continue;
    command.error(`error: ${name} applies only to a ${isUrl ? 'file' : 'URL'}`);
  }
  return isUrl;
}

/**
 * Runs a task that SIGINT and SIGTERM abort. After such a signal, and once the task has cleaned up, the process ends by the
 * same signal.
 */
export async function withInterrupt<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals): void => controller.abort(name);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(controller.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    if (controller.signal.aborted) process.kill(process.pid, controller.signal.reason as NodeJS.Signals);
  }
}
