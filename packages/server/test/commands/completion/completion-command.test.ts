import { spawnSync } from 'node:child_process';
import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  bashScript,
  commandWords,
  fishScript,
  zshScript,
} from '../../../src/commands/completion/completion-command.js';
import { createProgram } from '../../../src/program.js';
import { runCommand } from '../../run-command.js';

function bash(script: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', ...args], { input: script, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const program = await createProgram();

/** Returns the completions of bash after these words, the last of which is incomplete. */
function complete(...words: string[]): string[] {
  const quoted = ['htskit', ...words].map((word) => `'${word}'`).join(' ');
  const call = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _htskit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = bash(`${bashScript(program)}\n${call}`);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('the script for bash', () => {
  test('is valid bash', () => {
    expect(bash(bashScript(program), '-n')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(bash(`${bashScript(program)}complete -p htskit`).stdout).toBe('complete -o default -F _htskit htskit\n');
  });

  test('completes each command and its options', () => {
    // One run of bash for all, since each takes a while.
    const cases = commandWords(program).flatMap(({ path, subcommands, options }) => [
      ...subcommands.map(({ name }) => [...path, name]),
      ...options.map(({ short, long }) => [...path, long ?? short]),
    ]);
    const calls = cases.map((words) => {
      return `COMP_WORDS=(htskit ${words.join(' ')}); COMP_CWORD=${words.length}; _htskit; echo "\${COMPREPLY[@]}"`;
    });
    const { stdout } = bash([bashScript(program), ...calls].join('\n'));
    const offered = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    expect(cases.length).toBeGreaterThan(50);
    expect(offered).toEqual(cases.map((words) => expect.arrayContaining([words.at(-1)]) as string[]));
  });

  test.each<[string[], string[]]>([
    [['ref'], ['refget']],
    [
      ['refget', ''],
      ['import', 'verify', 'list', 'export', 'remove', 'compare'],
    ],
    [['refget', 'import', '--st'], ['--store']],
    [['get', '-o', 'serve', '--forma'], ['--format']],
    [
      ['get', '--format', 'VCF'],
      ['VCF', 'VCFTEXT'],
    ],
    [
      ['get', '--format', '=', 'B'],
      ['BAM', 'BCF'],
    ],
    [
      ['ticket', '--precision', '='],
      ['auto', 'exact', 'chunks'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    // Names of files, by bash itself.
    [['get', ''], []],
    [['get', '--output', '-'], []],
    [['digest', 'genome'], []],
  ])('offers after %j the words %j', (words, expected) => {
    expect(complete(...words)).toEqual(expected);
  });
});

test('the script for zsh loads the one for bash', () => {
  expect(zshScript(program)).toMatch(
    /^autoload [^\n]*compinit\nautoload [^\n]*bashcompinit && bashcompinit\n_htskit\(\)/,
  );
  expect(zshScript(program).endsWith(bashScript(program))).toBe(true);
});

test('the script for fish describes each word', () => {
  const program = new Command('tool').helpOption(false);
  const group = program.command('group').description("it's a group").helpOption(false);
  const leaf = group.command('leaf').description('a \\ leaf').helpOption(false);
  leaf.option('-o, --out <file>', 'where').addOption(new Option('--kind <kind>', 'which').choices(['a', 'b']));
  leaf.option('--all', 'everything');
  const condition = "-n '__fish_seen_subcommand_from group; and __fish_seen_subcommand_from leaf'";
  expect(fishScript(program).split('\n')).toEqual([
    String.raw`complete -c tool -n 'not __fish_seen_subcommand_from group' -f -a group -d 'it\'s a group'`,
    String.raw`complete -c tool -n '__fish_seen_subcommand_from group; and not __fish_seen_subcommand_from leaf' -f -a leaf -d 'a \\ leaf'`,
    `complete -c tool ${condition} -s o -l out -r -d 'where'`,
    `complete -c tool ${condition} -l kind -x -a 'a b' -d 'which'`,
    `complete -c tool ${condition} -l all -d 'everything'`,
    '',
  ]);
});

test.each([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])('htskit completion %s prints the script', async (shell, script) => {
  expect(await runCommand(['completion', shell])).toEqual({ code: 0, stdout: script(program), stderr: '' });
});

test('rejects another shell as a usage error', async () => {
  const { code, stderr } = await runCommand(['completion', 'csh']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
});
