import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { TransformedBlockCache } from '../../src/deliver/transformed-block-cache.js';
import type { CutSegment } from '../../src/plan/plan.js';
import { fixtureFile } from '../fixture-files.js';

const { data } = fixtureFile('variants.vcf.gz');
const { size } = await data.stat();

function cutTo(coffset: number): CutSegment {
  return { kind: 'cut', class: 'body', start: { coffset: 0, uoffset: 0 }, end: { coffset, uoffset: 0 } };
}

const options = { format: 'VCFTEXT' } as const;

describe('TransformedBlockCache', () => {
  test('makes a block from fewer stored bytes than it keeps', async () => {
    const blocks = new TransformedBlockCache({ maxBytes: size + 1 });
    const made = await blocks.load('a', [cutTo(size)], { source: data, options });
    expect(new TextDecoder().decode(made).startsWith('##fileformat=VCF')).toBe(true);
    expect(await blocks.load('b', [cutTo(size + 1)], { source: data, options })).toBeUndefined();
    expect(await blocks.load('c', [cutTo(2 ** 18)], { source: data, options })).toBeUndefined();
  });

  test('leaves blocks of known length alone', async () => {
    const blocks = new TransformedBlockCache({ maxBytes: 2 ** 20 });
    const range = { kind: 'range', class: 'body', start: 0, end: 9 } as const;
    expect(await blocks.load('a', [range], { source: data, options: { format: 'VCF' } })).toBeUndefined();
  });

  test('makes a block again after a failure', async () => {
    const blocks = new TransformedBlockCache({ maxBytes: 2 ** 20 });
    const broken = memorySource(new Uint8Array(size));
    await expect(blocks.load('a', [cutTo(size)], { source: broken, options })).rejects.toMatchObject({
      name: 'StorageError',
    });
    expect(await blocks.load('a', [cutTo(size)], { source: data, options })).toBeDefined();
  });
});
