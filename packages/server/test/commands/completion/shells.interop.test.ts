import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { fishScript, zshScript } from '../../../src/commands/completion/completion-command.js';
import { createProgram } from '../../../src/program.js';

const program = await createProgram();

/** Returns whether a shell is installed. */
function has(shell: string): boolean {
  return spawnSync(shell, ['--version']).error === undefined;
}

/** Runs a script and returns the lines that it prints. Fails if the shell reports anything. */
function run(shell: string, args: readonly string[], input = ''): string[] {
  const { status, stdout, stderr } = spawnSync(shell, [...args], { input, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

const CASES: readonly (readonly [words: readonly string[], expected: string])[] = [
  [['re'], 'refget'],
  [['refget', 'imp'], 'import'],
  [['get', '--form'], '--format'],
  [['get', '--format', 'BA'], 'BAM'],
  [['view', '--thr'], '--threads'],
  [['completion', 'fi'], 'fish'],
];

describe.skipIf(!has('zsh'))('in zsh', () => {
  test.each(CASES)('%j is completed to %s', (words, expected) => {
    // The completion system of zsh runs functions of bash in this mode.
    const call = `emulate ksh -c 'COMP_WORDS=(htskit ${words.join(' ')}); COMP_CWORD=${words.length}; _htskit'`;
    const script = `${zshScript(program)}${call}\nprint -l -- $COMPREPLY\nprint -- $_comps[htskit]\n`;
    const lines = run('zsh', ['-f', '-s'], script);
    expect(lines).toContain(expected);
    expect(lines.at(-1)).toContain('_htskit');
  });
});

describe.skipIf(!has('fish'))('in fish', () => {
  test.each(CASES)('%j is completed to %s', (words, expected) => {
    const script = `${fishScript(program)}complete -C 'htskit ${words.join(' ')}'\n`;
    const lines = run('fish', ['--no-config', '-c', script]);
    expect(lines.map((line) => line.split('\t')[0])).toContain(expected);
  });
});
