import { REGION_FORMS } from '@htskit/formats/internal';
import type { Precision } from '@htskit/htsget';
import type { HtsgetRegion } from '@htskit/protocol';
import { checkNamingAuthority } from '@htskit/sequences/internal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../usage-error.js';

/** Parses the value of an option that is a naming authority. */
export function parseNamingAuthority(text: string): string {
  try {
    checkNamingAuthority(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Parses the value of an option that is a port. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('a port is a whole number from 0 to 65535.');
  return port;
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

/** Creates an option whose value is one of several words, in any letter case. */
export function wordOption<Word extends string>(flags: string, description: string, words: readonly Word[]): Option {
  const option = new Option(flags, description).choices(words);
  return option.argParser((text: string): Word => {
    const word = words.find((each) => each.toLowerCase() === text.toLowerCase());
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
  });
}

/** How closely a file may be cut. */
export const PRECISIONS: readonly Precision[] = ['auto', 'exact', 'chunks'];

/** Creates the option for the number of worker threads. */
export function threadsOption(description: string): Option {
  return new Option('-@, --threads <n>', description).argParser((text) => {
    const threads = Number(text);
    if (/^\d{1,4}$/.test(text) && threads <= MAX_THREADS) return threads;
    throw new InvalidArgumentError(`expected a whole number from 0 to ${MAX_THREADS}.`);
  });
}

/** More threads than a machine has. */
const MAX_THREADS = 1024;

/** Adds the arguments and options that select regions. */
export function addRegions(command: Command): Command {
  return command
    .argument('[REGION...]', `1-based, both ends included: ${REGION_FORMS}`)
    .option('-L, --regions-file <bed>', 'only records that overlap the intervals of a BED file, optionally compressed');
}

/** Adds the option for the keys of encrypted files. */
export function addIdentity(command: Command): Command {
  return command.option(
    '--identity <file>',
    'secret key that decrypts files of Crypt4GH; repeatable (default: C4GH_SECRET_KEY; its passphrase: C4GH_PASSPHRASE)',
    addValue,
    [],
  );
}

/** Adds the option for a run whose stderr has only errors. */
export function addQuiet(command: Command, flags = '-q, --quiet'): Command {
  return command.option(flags, 'write only errors to stderr: no progress, warnings or summary', false);
}

/**
 * Reads the intervals of `--regions-file`. Returns undefined without the option. Throws UsageError if there are regions, too, and
 * what `readBedRegions` throws.
 */
export async function readIntervals(
  regions: readonly string[],
  path: string | undefined,
): Promise<readonly HtsgetRegion[] | undefined> {
  if (path === undefined) return undefined;
  if (regions.length > 0) throw new UsageError('--regions-file cannot be combined with regions');
  const { readBedRegions } = await import('../stored-file/bed-regions.js');
  return readBedRegions(path);
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
  const isUrl = /^(?:https?|htsget):\/\//i.test(target);
  // The URL is not repeated, since it may hold a secret.
  if (!isUrl && /^[a-z][a-z\d+.-]*:\/\//i.test(target)) {
    command.error('error: a URL begins with https://, http:// or htsget://');
  }
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
