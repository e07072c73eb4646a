import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../src/program.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** A command and all below it, by how they are called. */
function walk(command: Command, name: string): [name: string, command: Command][] {
  return [[name, command], ...command.commands.flatMap((child) => walk(child, `${name} ${child.name()}`))];
}

const all = walk(await createProgram(), 'htskit');
const leaves = all.filter(([, command]) => command.commands.length === 0);

/** All that `--help` prints. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

test('has exactly the documented commands', () => {
  expect(leaves.map(([name]) => name.replace('htskit ', '')).sort()).toEqual([
    'completion',
    'config check',
    'config schema',
    'conform',
    'decrypt',
    'depth',
    'digest',
    'encrypt',
    'get',
    'healthcheck',
    'index',
    'keygen',
    'ls',
    'prepare',
    'reencrypt',
    'refget compare',
    'refget export',
    'refget import',
    'refget list',
    'refget remove',
    'refget verify',
    'serve',
    'ticket',
    'view',
  ]);
});

describe.each(all)('%s', (name, command) => {
  test('has descriptions for itself, its arguments and its options', () => {
    const parts = [...command.registeredArguments, ...command.options];
    expect([command.description(), ...parts.map(({ description }) => description)]).not.toContain('');
  });

  test('is in the README', () => {
    expect(readme).toContain(`\`${name}`);
  });
});

describe.each(leaves)('the help of %s', (name, command) => {
  test('shows valid example commands and exit codes', () => {
    const [, examples = ''] = /\nExamples?:\n((?: {2}.+\n)+)/.exec(helpOf(command)) ?? [];
    const lines = examples.trimEnd().split('\n');
    expect(lines.filter((line) => !line.includes(name))).toEqual([]);
    expect(helpOf(command)).toMatch(/\nExit codes: 0[^\n]*, 2 \(usage\)\.\n/);
  });

  test('fits into a terminal', () => {
    const notes = helpOf(command).split(/\n(?=Examples?:)/)[1] ?? '';
    expect(notes.split('\n').filter((line) => line.length > 85)).toEqual([]);
  });
});

test.each(['config check', 'digest', 'refget verify', 'ticket'])('%s has --json', (name) => {
  const [, command] = leaves.find(([called]) => called === `htskit ${name}`) ?? [];
  expect(command?.options.map(({ long }) => long)).toContain('--json');
});

test('the help omits empty defaults', () => {
  for (const [name, command] of all) expect(helpOf(command), name).not.toMatch(/default: (?:false|\[\])/);
  const get = all.find(([name]) => name === 'htskit get')?.[1];
  expect(get && helpOf(get)).toContain('default: "exact"');
});
