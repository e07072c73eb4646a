import { Argument, type Command, type Option } from 'commander';

/** The script of each shell. */
const SCRIPTS: Readonly<Record<string, (program: Command) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const NOTES = `
Examples:
  source <(htskit completion bash)                                    # in ~/.bashrc
  source <(htskit completion zsh)                                     # in ~/.zshrc
  htskit completion fish > ~/.config/fish/completions/htskit.fish

Exit codes: 0, 2 (usage).`;

/** Adds `htskit completion`. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', NOTES)
    .action((shell: string) => void process.stdout.write(SCRIPTS[shell]?.(program) ?? ''));
}

/** Returns the completion script for bash. If there is nothing to suggest, bash completes file names. */
export function bashScript(program: Command): string {
  const name = program.name();
  const all = commandWords(program);
  const commands = all.filter(({ path }) => path.length > 0).map(({ path }) => `/${path.join('/')}`);
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command='' operands='' options='' i
  # --option=value is three words.
  if [[ "$current" == '=' ]]; then
    current=''
  elif [[ "$previous" == '=' ]]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command/\${COMP_WORDS[i]}" in
      ${commands.join(' | ')}) command="$command/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command $previous" in
${all.flatMap(valueCases).join('\n')}
  esac
  case "$command" in
${all.map(wordCase).join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    operands="$options"
  fi
  COMPREPLY=($(compgen -W "$operands" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

/** Returns the completion script for zsh, which can load the one for bash. */
export function zshScript(program: Command): string {
  return `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bashScript(program)}`;
}

/** Returns the cases that complete the values of options. */
function valueCases({ path, options }: CommandWords): string[] {
  const command = toCommand(path);
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ short, long, choices }) => {
      const patterns = [short, long].filter((flag) => flag !== undefined).map((flag) => `'${command} ${flag}'`);
      const reply = choices.length > 0 ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); ` : '';
      return `    ${patterns.join(' | ')}) ${reply}return ;;`;
    });
}

function wordCase({ path, subcommands, choices, options }: CommandWords): string {
  const operands = [...subcommands.map(({ name }) => name), ...choices].join(' ');
  const flags = options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined)).join(' ');
  return `    '${toCommand(path)}') operands='${operands}' options='${flags}' ;;`;
}

/** Returns the name of a command within the script, which is empty for the program. */
function toCommand(path: readonly string[]): string {
  return path.map((name) => `/${name}`).join('');
}

/** Returns the completion script for fish, with descriptions. */
export function fishScript(program: Command): string {
  const lines = commandWords(program).flatMap((words) => commandLines(words));
  return lines.map((line) => `complete -c ${program.name()} ${line}\n`).join('');
}

function commandLines(words: CommandWords): string[] {
  const { path, subcommands, choices, options } = words;
  const names = subcommands.map(({ name }) => name);
  const here = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  // The words of a group no longer apply after one of its subcommands.
  const open = names.length > 0 ? [...here, `not __fish_seen_subcommand_from ${names.join(' ')}`] : here;
  const condition = `-n ${quote(open.join('; and '))}`;
  return [
    ...subcommands.map(({ name, description }) => `${condition} -f -a ${name} -d ${quote(description)}`),
    ...(choices.length > 0 ? [`${condition} -f -a ${quote(choices.join(' '))}`] : []),
    ...options.map((option) => `${condition} ${optionFlags(option)}`),
  ];
}

function optionFlags({ short, long, description, takesValue, choices }: OptionWords): string {
  return [
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
    ...(takesValue ? [choices.length > 0 ? `-x -a ${quote(choices.join(' '))}` : '-r'] : []),
    `-d ${quote(description)}`,
  ].join(' ');
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** The words that may follow a command. */
interface CommandWords {
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

interface OptionWords {
  /** Such as `-o`, if there is one. */
  readonly short: string | undefined;
  /** Such as `--output`, if there is one. */
  readonly long: string | undefined;
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
  const { short, long, description, required: takesValue, argChoices: choices = [] } = option;
  return { short, long, description, takesValue, choices };
}
