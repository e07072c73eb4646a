import { deflateBlocks } from '@htskit/bgzf';
import { MemoryBudget } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { DeliveryWorkers } from '../../src/index.js';
import { BoundedTransforms } from '../../src/transform/bounded-transforms.js';
import type { TransformDescription, TransformResult } from '../../src/transform/transform.js';

const MiB = 2 ** 20;
const LINE = 'chr1\t5\t.\tA\tC\t.\t.\t.\n';
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function describeLines(bytes: Uint8Array, options: Partial<TransformDescription> = {}): TransformDescription {
  const range = { start: { coffset: 0, uoffset: 0 }, end: { coffset: bytes.length, uoffset: 0 } };
  return { kind: 'records', format: 'VCF', range, isText: true, ...options } as TransformDescription;
}

/** Runs a transform of bytes in one job, and returns all results. */
async function run(transforms: BoundedTransforms, bytes: Uint8Array, description: TransformDescription) {
  const session = transforms.open(description);
  const results: TransformResult[] = [];
  try {
    let result = await session.run({ chunk: bytes, isLast: true });
    for (; !result.isDone; result = await session.run({ isLast: false })) results.push(result);
    return [...results, result];
  } finally {
    session.close();
  }
}

describe.each(['the thread of the caller', 'workers'])('transforms on %s', (place) => {
  const useTransforms = async (
    options: { readonly recordBytes?: number; readonly memory?: MemoryBudget },
    use: (transforms: BoundedTransforms) => Promise<void>,
  ): Promise<void> => {
    const workers = place === 'workers' ? new DeliveryWorkers({ threads: 1 }) : undefined;
    await use(new BoundedTransforms({ workers, recordBytes: 64 * MiB, memory: undefined, ...options }));
    await workers?.close();
  };

  test('send text that is much longer than the stored bytes in parts', async () => {
    const text = ascii(LINE.repeat(500_000));
    const bytes = deflateBlocks(text);
    await useTransforms({}, async (transforms) => {
      const results = await run(transforms, bytes, describeLines(bytes));
      const sizes = results.map(({ output }) => output.length);
      expect(Math.max(...sizes)).toBeLessThan(1.1 * MiB);
      expect(Buffer.concat(results.map(({ output }) => output)).equals(text)).toBe(true);
    });
  });

  test('refuse a long record, and release its memory', async () => {
    const memory = new MemoryBudget(32 * MiB);
    const bytes = deflateBlocks(ascii(`${LINE}${'A'.repeat(6 * MiB)}`));
    const description = describeLines(bytes, {
      intervals: [{ referenceId: 0, referenceName: 'chr1', start: 0, end: 9 }],
    });
    await useTransforms({ memory, recordBytes: 4 * MiB }, async (transforms) => {
      const [result] = await run(transforms, bytes, description);
      expect(result?.failure).toMatchObject({ name: 'FormatError', code: 'LIMIT_EXCEEDED' });
      expect(result?.failure?.message).toContain('limits.recordBytes');
      await expect.poll(() => memory.usedBytes).toBe(0);
    });
  });

  test('fail for now while others hold the memory', async () => {
    const memory = new MemoryBudget(32 * MiB);
    const other = memory.open();
    other.reserve(30 * MiB);
    const bytes = deflateBlocks(ascii(`${LINE}${'A'.repeat(6 * MiB)}\n`));
    const description = describeLines(bytes, {
      intervals: [{ referenceId: 0, referenceName: 'chr1', start: 0, end: 9 }],
    });
    await useTransforms({ memory }, async (transforms) => {
      const [refused] = await run(transforms, bytes, description);
      expect(refused?.failure).toMatchObject({ name: 'MemoryError', code: 'EXHAUSTED' });
      other.close();
      const [result] = await run(transforms, bytes, describeLines(bytes));
      expect(result?.failure).toBeUndefined();
      await expect.poll(() => memory.usedBytes).toBe(0);
    });
  });
});
