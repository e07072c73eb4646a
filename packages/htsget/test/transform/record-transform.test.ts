import { deflateBlocks, inflateBlocks } from '@htskit/bgzf';
import { concatBytes } from '@htskit/io';
import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordTransform, type RecordTransformOptions } from '../../src/transform/record-transform.js';

/** Bases between two records. */
const STEP = 10;

/** Records on one contig, each padded to 1,000 bytes. */
function records(first: number, count: number, contig = 'chr1'): string[] {
  return Array.from({ length: count }, (_, i) => {
    const line = `${contig}\t${(first + i) * STEP + 1}\t.\tA\tT\t.\t.\t`;
    return `${line.padEnd(999, 'x')}\n`;
  });
}

/** One block for each text. Level 1 distinguishes stored blocks from those that the transform compresses. */
function toBlocks(texts: readonly string[]): Uint8Array[] {
  return texts.map((text) => deflateBlocks(Buffer.from(text), { level: 1 }));
}

/** Transforms blocks to the records of an interval of chr1. Returns the output, and whether bytes after it were needed. */
function transform(
  blocks: readonly Uint8Array[],
  { start, end }: { readonly start: number; readonly end: number },
  options: Partial<RecordTransformOptions> = {},
): { readonly bytes: Uint8Array; readonly isEarly: boolean } {
  const whole = concatBytes(blocks);
  const records = new RecordTransform({
    kind: 'records',
    format: 'VCF',
    range: { start: { coffset: 0, uoffset: 0 }, end: { coffset: whole.length, uoffset: 0 } },
    intervals: [{ referenceId: 0, referenceName: 'chr1', start, end }],
    isText: false,
    ...options,
  } as RecordTransformOptions);
  let fed = 0;
  const outputs: Uint8Array[] = [];
  while (fed < whole.length && !records.isComplete) {
    records.push(whole.subarray(fed, fed + 99));
    while (!records.advance()) outputs.push(records.take());
    fed += 99;
    outputs.push(records.take());
  }
  records.finish();
  return { bytes: concatBytes([...outputs, records.take()]), isEarly: fed < whole.length };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(inflateBlocks(bytes)).toString();
}

function holds(bytes: Uint8Array, block: Uint8Array | undefined): boolean {
  return block !== undefined && Buffer.from(bytes).includes(Buffer.from(block));
}

const lines = records(0, 120);
const textsOf = (sizes: readonly number[]): string[] => {
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
  return ends.map((end, index) => lines.slice(ends[index - 1] ?? 0, end).join(''));
};

describe('blocks whose records are all kept', () => {
  const blocks = toBlocks(textsOf([40, 40, 40]));
  const interval = { start: 20 * STEP, end: 100 * STEP };

  test('are passed through, and the others are compressed anew', () => {
    const { bytes } = transform(blocks, interval);
    expect(textOf(bytes)).toBe(lines.slice(20, 100).join(''));
    expect(blocks.map((block) => holds(bytes, block))).toEqual([false, true, false]);
  });

  test('are compressed anew if they are short', () => {
    const short = toBlocks(textsOf([40, 5, 5, 50, 20]));
    const { bytes } = transform(short, interval);
    expect(textOf(bytes)).toBe(lines.slice(20, 100).join(''));
    expect(short.map((block) => holds(bytes, block))).toEqual([false, false, false, true, false]);
  });

  /** Blocks of all records that are cut at these bytes. */
  const cutAt = (...ends: readonly number[]): Uint8Array[] => {
    const text = lines.join('');
    return toBlocks([0, ...ends].map((end, index) => text.slice(end, ends[index])));
  };

  test.each<[string, readonly number[], readonly boolean[]]>([
    ['begin and end within kept records', [30_500, 60_500, 90_500], [false, true, true, false]],
    ['begin between records', [40_000, 80_500], [false, true, false]],
    ['end between records', [40_500, 80_000], [false, true, false]],
    ['end within a record that is not kept', [40_000, 60_000, 100_500], [false, true, false, false]],
    ['begin within a record that is not kept', [19_500, 60_000, 90_000], [false, false, true, false]],
    [
      'are followed by parts of their last record',
      [40_500, 40_600, 40_700, 90_000],
      [false, false, false, true, false],
    ],
    [
      'follow parts of their first record',
      [25_000, 60_300, 60_600, 60_700, 90_700],
      [false, false, false, false, true, false],
    ],
  ])('are told from others if they %s', (_, ends, expected) => {
    const cut = cutAt(...ends);
    const { bytes } = transform(cut, interval);
    expect(textOf(bytes)).toBe(lines.slice(20, 100).join(''));
    expect(cut.map((block) => holds(bytes, block))).toEqual(expected);
  });

  test('hold the records of the interval, wherever blocks end', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 119_999 }), { minLength: 1, maxLength: 12 }), (cuts) => {
        const ends = cuts.concat(60_000).sort((a, b) => a - b);
        expect(textOf(transform(cutAt(...ends), interval).bytes)).toBe(lines.slice(20, 100).join(''));
      }),
      { numRuns: volume(200) },
    );
  });

  test.each([
    ['ends with a kept record without a line feed', { start: 0, end: 1200 }, 0, 120],
    ['ends with a dropped record without a line feed', { start: 0, end: 1185 }, 0, 119],
  ])('are whole if the data %s', (_, region, first, last) => {
    const text = lines.slice(first, last + 1).join('');
    const cut = toBlocks([text.slice(0, 60_000), text.slice(60_000, -1)]);
    const kept = lines.slice(first, last).join('');
    expect(textOf(transform(cut, region, { isUnsorted: true }).bytes)).toBe(last === 120 ? kept.slice(0, -1) : kept);
  });

  test('are sent as text for VCFTEXT', () => {
    const { bytes } = transform(blocks, interval, { isText: true });
    expect(Buffer.from(bytes).toString()).toBe(lines.slice(20, 100).join(''));
  });

  test('are compressed anew if their records are rewritten', () => {
    const rewriting = { selection: { notags: ['DP'] }, strings: undefined, alleleLengths: false };
    const { bytes } = transform(blocks, interval, { rewriting });
    expect(holds(bytes, blocks[1])).toBe(false);
  });
});

describe('records after the last interval', () => {
  const interval = { start: 20 * STEP, end: 50 * STEP };
  const kept = lines.slice(20, 50).join('');

  test('end a sorted range, also within a record', () => {
    const text = lines.join('');
    const blocks = toBlocks([text.slice(0, 60_500), text.slice(60_500)]);
    const { bytes, isEarly } = transform(blocks, interval);
    expect(textOf(bytes)).toBe(kept);
    expect(isEarly).toBe(true);
  });

  test('do not end an unsorted range', () => {
    const late = records(30, 3);
    const blocks = toBlocks([lines.slice(0, 60).join(''), lines.slice(60).join(''), late.join('')]);
    const { bytes, isEarly } = transform(blocks, interval, { isUnsorted: true });
    expect(textOf(bytes)).toBe(kept + late.join(''));
    expect(isEarly).toBe(false);
  });

  test('do not end a range with intervals of two references', () => {
    const others = records(0, 3, 'chr2');
    const blocks = toBlocks([lines.slice(0, 60).join(''), lines.slice(60).join(''), others.join('')]);
    const intervals = [
      { referenceId: 0, referenceName: 'chr1', ...interval },
      { referenceId: 1, referenceName: 'chr2', start: 0, end: 100 },
    ];
    const { bytes, isEarly } = transform(blocks, interval, { intervals });
    expect(textOf(bytes)).toBe(kept + others.join(''));
    expect(isEarly).toBe(false);
  });
});
