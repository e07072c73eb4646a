import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areInstalled, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const GUIDE = new URL('../../../docs/operations.md', import.meta.url);
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const END = '<the command has ended>';

/** What is typed, and what is shown; `…` stands for anything in a line. */
interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

const [, session = ''] = readFileSync(GUIDE, 'utf8').split(/^## A session$/m);
const [section = ''] = session.split(/^## /m);

function blocksOf(language: string): string[] {
  return Array.from(section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, text = '']) => text);
}

function parseSteps(block: string): Step[] {
  const [, ...steps] = block.split(/^\$ /m);
  return steps.map((step) => {
    const [command = '', ...output] = step.trimEnd().split('\n');
    return { command, output };
  });
}

/** Returns what one shell prints for each command in turn, errors included. */
async function runInShell(commands: readonly string[], folder: string): Promise<string[]> {
  const { HTSKIT_KEY: _, ...environment } = process.env;
  const shell = spawn('bash', [], {
    cwd: folder,
    env: { ...environment, PATH: `${join(folder, '..', 'bin')}:${environment['PATH']}` },
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // Errors and output in their order; a server that is left when something fails ends with the shell.
  const script = commands.map((command) => `${command}\necho '${END}'\n`).join('');
  shell.stdin.end(`exec 2>&1\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n${script}`);
  await once(shell, 'close');
  return output.split(`${END}\n`).slice(0, commands.length);
}

function toPattern(lines: readonly string[]): RegExp {
  const escaped = lines.map((line) => `${line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}\n`);
  return new RegExp(`^${escaped.join('')}$`);
}

describe.skipIf(!areInstalled('samtools', 'curl', 'bash'))('docs/operations.md', () => {
  let scratch = '';
  beforeAll(() => {
    if (!existsSync(CLI)) throw new Error('the guide runs the built command: build first');
    scratch = mkdtempSync(join(tmpdir(), 'htskit-guide-'));
    mkdirSync(join(scratch, 'bin'));
    writeFileSync(join(scratch, 'bin', 'htskit'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
    chmodSync(join(scratch, 'bin', 'htskit'), 0o755);
    const data = join(scratch, 'session', 'data');
    for (const name of ['reads.bam', 'variants.vcf.gz', 'genome.fa']) cpSync(fixturePath(name), join(data, name));
    const [configuration = ''] = blocksOf('yaml');
    writeFileSync(join(scratch, 'session', 'htskit.yaml'), configuration);
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  test('its session goes as it is written', async () => {
    const steps = blocksOf('console').flatMap(parseSteps);
    expect(steps.length).toBeGreaterThan(15);
    const outputs = await runInShell(
      steps.map(({ command }) => command),
      join(scratch, 'session'),
    );
    for (const [rank, { command, output }] of steps.entries())
      expect(outputs[rank], command).toMatch(toPattern(output));
  });
});
