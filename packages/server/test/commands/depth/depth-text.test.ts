import type { DepthRuns } from '@htskit/coverage';
import { createRandom } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { printDepth } from '../../../src/commands/depth/depth-text.js';

/** Returns runs of a reference that begin at a base. */
function runsOf(
  referenceId: number,
  first: number,
  runs: readonly (readonly [length: number, depth: number])[],
): DepthRuns {
  const lengths = runs.map(([length]) => length);
  const ends = lengths.map((_, i) => lengths.slice(0, i + 1).reduce((sum, length) => sum + length, first));
  return {
    referenceId,
    length: runs.length,
    start: Int32Array.from(ends, (end, i) => end - (lengths[i] ?? 0)),
    end: Int32Array.from(ends),
    depth: Uint32Array.from(runs, ([, depth]) => depth),
  };
}

async function print(batches: readonly DepthRuns[], names: readonly string[]): Promise<string> {
  async function* each(): AsyncGenerator<DepthRuns, void> {
    yield* batches;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of printDepth(
    each(),
    names.map((name) => ({ name })),
  ))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function expected(batches: readonly DepthRuns[], names: readonly string[]): string {
  const lines = batches.flatMap(({ referenceId, length, start, end, depth }) =>
    Array.from({ length }, (_, i) =>
      Array.from({ length: (end[i] ?? 0) - (start[i] ?? 0) }, (__, base) => {
        return `${names[referenceId]}\t${(start[i] ?? 0) + base + 1}\t${depth[i]}\n`;
      }).join(''),
    ),
  );
  return lines.join('');
}

describe('printDepth', () => {
  test.each([
    ['the first bases', 0],
    ['positions that get one more digit', 99_990],
    ['the last positions of 32 bits', 2 ** 31 - 1 - 40],
  ])('prints %s', async (_, first) => {
    const batches = [
      runsOf(0, first, [
        [7, 0],
        [5, 4_294_967_295],
        [13, 9],
        [15, 10],
      ]),
    ];
    expect(await print(batches, ['chr1'])).toBe(expected(batches, ['chr1']));
  });

  test('prints random runs of several references, whatever the length of their names', async () => {
    const random = createRandom(7);
    const below = (limit: number): number => Math.floor(random() * limit);
    const names = ['a', 'chr1', 'x'.repeat(500), 'chrUn_KI270302v1', 'é'];
    const batches = names.flatMap((_, referenceId) =>
      Array.from({ length: 20 }, (__, i) =>
        runsOf(
          referenceId,
          i * 20_000 + below(9),
          Array.from({ length: 50 }, () => [below(120), below(1200)] as const),
        ),
      ),
    );
    const text = await print(batches, names);
    expect(text.length).toBeGreaterThan(2 ** 17);
    expect(text === expected(batches, names)).toBe(true);
  });

  test('prints nothing without runs', async () => {
    expect(await print([], ['chr1'])).toBe('');
  });
});
