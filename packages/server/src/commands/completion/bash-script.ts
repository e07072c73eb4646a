import type { Command } from 'commander';
import { type CommandWords, commandWords } from './command-words.js';

/** A script for bash that completes a program. Where nothing is known, bash completes names of files. */
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

/** The same for zsh, which reads scripts for bash. */
export function zshScript(program: Command): string {
  return `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bashScript(program)}`;
}

/** What stands behind options that take a value. */
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
  const flags = options.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long])).join(' ');
  return `    '${toCommand(path)}') operands='${operands}' options='${flags}' ;;`;
}

/** As the script calls it: empty for the program. */
function toCommand(path: readonly string[]): string {
  return path.map((name) => `/${name}`).join('');
}
