import { Command, CommanderError, Help, type Option } from 'commander';
import { addCompletionCommand } from './commands/completion/completion-command.js';
import { addConfigCommand } from './commands/config/config-command.js';
import { addDigestCommand } from './commands/digest/digest-command.js';
import { addGetCommand } from './commands/get/get-command.js';
import { addIndexCommand } from './commands/index/index-command.js';
import { addLsCommand } from './commands/ls/ls-command.js';
import { addRefgetCommand } from './commands/refget/refget-command.js';
import { addServeCommand } from './commands/serve/serve-command.js';
import { addTicketCommand } from './commands/ticket/ticket-command.js';
import { addViewCommand } from './commands/view/view-command.js';
import { ConfigError } from './config/config-error.js';
import { describeFailure } from './errors.js';
import { PACKAGE_VERSION } from './package-version.js';
import { escapeControls } from './terminal/escape-controls.js';

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
    await createProgram().parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    // A line about a configuration begins with FILE:LINE:COLUMN, where editors expect it.
    if (error instanceof ConfigError) for (const line of error.message.split('\n')) log(line);
    else log(`htskit: ${describeFailure(error)}`);
    return EXIT_FAILED;
  }
}

/** Writes a message for people, which goes to stderr; stdout is for machines. */
function log(message: string): void {
  process.stderr.write(`${escapeControls(message)}\n`);
}

/** Creates the program with its commands. It throws CommanderError instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('htskit').description('genomic files over htsget and refget').version(PACKAGE_VERSION);
  program.addHelpText('after', NOTES);
  program.exitOverride().configureOutput({ writeErr: (text) => process.stderr.write(text) });
  addServeCommand(program);
  addConfigCommand(program);
  addGetCommand(program);
  addViewCommand(program);
  addTicketCommand(program);
  addLsCommand(program);
  addIndexCommand(program);
  addDigestCommand(program);
  addRefgetCommand(program);
  addCompletionCommand(program);
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    describeHelp(command);
  return program;
}

/** Leaves trivial defaults out of the help of a command, and points to the help after a usage error. */
function describeHelp(command: Command): void {
  const help = new Help();
  command.configureHelp({ optionDescription: (option) => help.optionDescription(withoutEmptyDefault(option)) });
  command.showHelpAfterError(`(${help.commandUsage(command).replace(/ [[<].*/, '')} --help for usage)`);
}

/** Hides the defaults `false` and `[]`, which are obvious. */
function withoutEmptyDefault(option: Option): Option {
  const { defaultValue } = option as { readonly defaultValue: unknown };
  const isEmpty = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isEmpty ? (Object.create(option, { defaultValue: { value: undefined } }) as Option) : option;
}
