import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, volume } from '@htskit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../run-command.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Short of 2,048 bases, at whose multiples samtools 1.16 takes the qualities of other bases for mates (mended in 1.21.1). */
const LENGTH = 2000;

/** Returns lines of SAM: pairs that overlap or do not, with further alignments, filtered mates, and single reads. */
function randomSam(seed: number): string {
  const random = createRandom(seed);
  const draw = (limit: number): number => Math.floor(random() * limit);
  const cigars = ['30M', '10M3D20M', '5S12M4I9M', '8M40N22M', '14=2X14M', '30S', '1M1D1M5S23M'];
  const qualities = (): string => Array.from({ length: 30 }, () => String.fromCharCode(33 + draw(40))).join('');
  const line = (
    name: string,
    flags: number,
    place: readonly [string, number],
    mate: readonly [string, number],
  ): string => {
    const [reference, position] = place;
    const next = mate[0] === reference ? '=' : mate[0];
    const cigar = cigars[draw(cigars.length)] ?? '30M';
    return [name, flags, reference, position, draw(60), cigar, next, mate[1], 0, 'A'.repeat(30), qualities()].join(
      '\t',
    );
  };
  const lines = ['@HD\tVN:1.6\tSO:unsorted', `@SQ\tSN:c1\tLN:${LENGTH}`, `@SQ\tSN:c2\tLN:${LENGTH}`];
  for (let i = 0; i < 300; i++) {
    const first = [`c${1 + draw(2)}`, 1 + draw(LENGTH - 200)] as const;
    const isFar = draw(10) === 0;
    const second = isFar
      ? ([`c${1 + draw(2)}`, 1 + draw(LENGTH - 200)] as const)
      : ([first[0], first[1] + draw(40)] as const);
    const extra = [0, 0, 0, 0x100, 0x200, 0x400, 0x8][draw(7)] ?? 0;
    if (draw(8) === 0) lines.push(line(`single${i}`, 0, first, ['*', 0]));
    lines.push(
      line(`pair${i}`, 0x41, first, draw(12) === 0 ? ['*', 0] : second),
      line(`pair${i}`, 0x81 | extra, second, first),
    );
    if (draw(8) === 0) lines.push(line(`pair${i}`, 0x841, [first[0], 1 + draw(LENGTH - 200)], second));
  }
  return `${lines.join('\n')}\n`;
}

const OPTIONS = [
  ['-s'],
  ['-s', '-q', '15'],
  ['-s', '-q', '15', '-J'],
  ['-s', '-J', '-Q', '20'],
  ['-s', '-a', '-G', '0x40'],
];

test.each(OPTIONS.map((options) => [options]))('overlapping mates count once, as in samtools: %j', async (options) => {
  for (let seed = 0; seed < volume(20); seed++) {
    const path = join(folder, 'random.bam');
    execFileSync('samtools', ['sort', '-o', path, '-'], {
      input: randomSam(seed),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const expected = execFileSync('samtools', ['depth', ...options, path]).toString();
    const { code, stdout } = await runCommand(['depth', path, ...options], folder);
    expect(code).toBe(0);
    expect(stdout === expected, `seed ${seed}`).toBe(true);
  }
});
