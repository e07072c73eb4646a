import type { Command, Option } from 'commander';

/** The words that may follow a command. */
export interface CommandWords {
  /** The names of the command and its parents, without that of the program. */
  readonly path: readonly string[];
  readonly subcommands: readonly Described[];
  /** The possible values of its argument; empty if it is any text, such as a file name. */
  readonly choices: readonly string[];
  readonly options: readonly OptionWords[];
}

interface Described {
  readonly name: string;
  readonly description: string;
}

export interface OptionWords {
  /** Such as `-o`, if there is one. */
  readonly short: string | undefined;
  /** Such as `--output`. */
  readonly long: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** The possible values; empty if it is any text. */
  readonly choices: readonly string[];
}

/** Collects the words of a command and of all commands below it. */
export function commandWords(command: Command, path: readonly string[] = []): CommandWords[] {
  const words: CommandWords = {
    path,
    subcommands: command.commands.map((child) => ({ name: child.name(), description: child.description() })),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    // These include --help and --version.
    options: command.createHelp().visibleOptions(command).map(optionWords),
  };
  return [words, ...command.commands.flatMap((child) => commandWords(child, [...path, child.name()]))];
}

function optionWords(option: Option): OptionWords {
  const { short, long = `--${option.name()}`, description, required: takesValue, argChoices: choices = [] } = option;
  return { short, long, description, takesValue, choices };
}
