import type { Command } from 'commander';
import { type CommandWords, commandWords, type OptionWords } from './command-words.js';

/** A script for fish that completes a program, with what each word is for. */
export function fishScript(program: Command): string {
  const lines = commandWords(program).flatMap((words) => commandLines(words));
  return lines.map((line) => `complete -c ${program.name()} ${line}\n`).join('');
}

function commandLines(words: CommandWords): string[] {
  const { path, subcommands, choices, options } = words;
  const names = subcommands.map(({ name }) => name);
  const here = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  // Once a subcommand is there, what goes with its group is past.
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
    `-l ${long.slice(2)}`,
    ...(takesValue ? [choices.length > 0 ? `-x -a ${quote(choices.join(' '))}` : '-r'] : []),
    `-d ${quote(description)}`,
  ].join(' ');
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
