import { styleText } from 'node:util';
import { Command, CommanderError, Help, type Option } from 'commander';
import { ConfigError } from './config/config-error.js';
import { PACKAGE_VERSION } from './package-version.js';
import { escapeControls } from './terminal/escape-controls.js';
import { color, reportFailure, setQuiet } from './terminal/messages.js';

/**
 * Adds each command, in the order of the help. A command is loaded on demand: loading all of them takes several times as
 * long as most of them take to run.
 */
const COMMANDS: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  serve: async (program) => (await import('./commands/serve/serve-command.js')).addServeCommand(program),
  config: async (program) => (await import('./commands/config/config-command.js')).addConfigCommand(program),
  healthcheck: async (program) =>
    (await import('./commands/healthcheck/healthcheck-command.js')).addHealthcheckCommand(program),
  get: async (program) => (await import('./commands/get/get-command.js')).addGetCommand(program),
  view: async (program) => (await import('./commands/view/view-command.js')).addViewCommand(program),
  depth: async (program) => (await import('./commands/depth/depth-command.js')).addDepthCommand(program),
  ticket: async (program) => (await import('./commands/ticket/ticket-command.js')).addTicketCommand(program),
  ls: async (program) => (await import('./commands/ls/ls-command.js')).addLsCommand(program),
  conform: async (program) => (await import('./commands/conform/conform-command.js')).addConformCommand(program),
  index: async (program) => (await import('./commands/index/index-command.js')).addIndexCommand(program),
  prepare: async (program) => (await import('./commands/prepare/prepare-command.js')).addPrepareCommand(program),
  digest: async (program) => (await import('./commands/digest/digest-command.js')).addDigestCommand(program),
  keygen: async (program) => (await import('./commands/crypt4gh/keygen-command.js')).addKeygenCommand(program),
  encrypt: async (program) => (await import('./commands/crypt4gh/crypt4gh-commands.js')).addEncryptCommand(program),
  decrypt: async (program) => (await import('./commands/crypt4gh/crypt4gh-commands.js')).addDecryptCommand(program),
  reencrypt: async (program) => (await import('./commands/crypt4gh/crypt4gh-commands.js')).addReencryptCommand(program),
  refget: async (program) => (await import('./commands/refget/refget-command.js')).addRefgetCommand(program),
  completion: async (program) =>
    (await import('./commands/completion/completion-command.js')).addCompletionCommand(program),
};

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const NOTES = `
Examples:
  htskit serve /data --examples
  htskit get https://data.example.org/reads/NA12878 chr1 -o chr1.bam
  htskit help get

Exit codes: 0, 1 (failed), 2 (usage).`;

/**
 * Runs the command that the arguments name and logs its failure. Returns the exit code of a process that must end now, or
 * undefined if the command has completed or serves until a signal.
 */
export async function runProgram(args: readonly string[]): Promise<number | undefined> {
  try {
    await (await createProgram(neededCommands(args))).parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    // A line about a configuration begins with FILE:LINE:COLUMN, where editors expect it.
    if (error instanceof ConfigError)
      process.stderr.write(`${error.message.split('\n').map(escapeControls).join('\n')}\n`);
    else reportFailure((await import('./errors.js')).describeFailure(error));
    return EXIT_FAILED;
  }
}

/**
 * Returns the names of the commands that the arguments can refer to. Help, suggestions for a misspelt command and
 * completions need all of them.
 */
function neededCommands([first = '']: readonly string[]): readonly string[] {
  if (first === '--version' || first === '-V') return [];
  return first !== 'completion' && Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
}

/** Creates the program, by default with all its commands. It throws CommanderError instead of ending the process. */
export async function createProgram(names: readonly string[] = Object.keys(COMMANDS)): Promise<Command> {
  const program = new Command('htskit').description('genomic files over htsget and refget').version(PACKAGE_VERSION);
  program.addHelpText('after', NOTES);
  program.exitOverride().configureOutput({
    writeErr: (text) => process.stderr.write(text),
    outputError: (text, write) => write(text.replace(/^error:/, (label) => color('red', label))),
  });
  program.hook('preAction', (_, command) => setQuiet(command.opts<{ readonly quiet?: boolean }>().quiet === true));
  for (const name of names) await COMMANDS[name]?.(program);
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    describeHelp(command);
  return program;
}

/** Leaves trivial defaults out of the help of a command, and points to the help after a usage error. */
function describeHelp(command: Command): void {
  const help = new Help();
  command.configureHelp({
    optionDescription: (option) => help.optionDescription(withoutEmptyDefault(option)),
    // Commander removes the colours if they are not wanted.
    styleTitle: (title) => styleText('bold', title, { validateStream: false }),
  });
  command.showHelpAfterError(`(${help.commandUsage(command).replace(/ [[<].*/, '')} --help for usage)`);
}

/** Hides the defaults `false` and `[]`, which are obvious. */
function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option as { readonly defaultValue: unknown };
  const isEmpty = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isEmpty ? (Object.create(option, { defaultValue: { value: undefined } }) as Option) : option;
}
