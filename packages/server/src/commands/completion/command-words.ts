import type { Command, Option } from 'commander';

/** What may stand behind a command. */
export interface CommandWords {
  /** Names from the program down, without its own. */
  readonly path: readonly string[];
  readonly subcommands: readonly Described[];
  /** What its argument may be; none where any text, as the name of a file, is. */
  readonly choices: readonly string[];
  readonly options: readonly OptionWords[];
}

interface Described {
  readonly name: string;
  readonly description: string;
}

export interface OptionWords {
  /** As `-o`; not all have one. */
  readonly short: string | undefined;
  /** As `--output`. */
  readonly long: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** None where any text is a value. */
  readonly choices: readonly string[];
}

/** The words of a program and of all commands below it. */
export function commandWords(command: Command, path: readonly string[] = []): CommandWords[] {
  const words: CommandWords = {
    path,
    subcommands: command.commands.map((child) => ({ name: child.name(), description: child.description() })),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    // With those for help and the version.
    options: command.createHelp().visibleOptions(command).map(optionWords),
  };
  return [words, ...command.commands.flatMap((child) => commandWords(child, [...path, child.name()]))];
}

function optionWords(option: Option): OptionWords {
  const { short, long = `--${option.name()}`, description, required: takesValue, argChoices: choices = [] } = option;
  return { short, long, description, takesValue, choices };
}
