import { describe, expect, test } from 'vitest';
import { type Bytes, block, constant, encoding, simple } from '../build-cram.js';
import { rejection, samLinesOf } from './decode-slices.js';

const REFERENCE = 7;
/** Bases of the embedded reference that each record covers. */
const SPAN = 900;

/** Each record stores an empty MD, which takes no bytes. */
const STORED_MD = { tagLines: [['MDZ']], tags: { MDZ: encoding(4, ...constant(1), ...constant(0)) } };

/** Decodes records of one feature each, whose values take no bytes, within a limit. */
async function decode(
  recordCount: number,
  series: Readonly<Record<string, Bytes>>,
  containerBytes: number,
): Promise<string[]> {
  const head = { ...simple, RI: constant(0), RL: constant(0), AP: constant(1), MQ: constant(60) };
  const compression = { series: { ...head, FN: constant(1), ...series }, needsReference: true, ...STORED_MD };
  const reference = block('external', REFERENCE, new Array<number>(1000).fill(0x41));
  const blocks = [block('core', 0, []), reference];
  const slice = { referenceId: 1, start: 1, span: 1000, recordCount, embeddedReferenceId: REFERENCE, blocks };
  return samLinesOf(compression, [slice], { limits: { containerBytes } });
}

const FEATURES = {
  'matches of records of unknown length': { FC: constant(0x48), FP: constant(SPAN + 1), HC: constant(1) },
  deletions: { FC: constant(0x44), FP: constant(1), DL: constant(SPAN) },
};

describe('limits of records', () => {
  test.each(Object.entries(FEATURES))('bounds the reference bases of %s', async (_, series) => {
    expect(await decode(2, series, 10_000)).toHaveLength(2);
    expect(await rejection(decode(20, series, 10_000))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  test('bounds the memory of records that take no bytes', async () => {
    const slice = { recordCount: 2 ** 20, blocks: [block('core', 0, [])] };
    const limits = { sliceBytes: 2 ** 25 };
    expect(await rejection(samLinesOf({ series: simple }, [slice], { limits }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('33554432') as string,
    });
  });

  test('bounds features that take no bytes', async () => {
    const series = { FN: constant(1000), FC: constant(0x50), FP: constant(0), PD: constant(1) };
    expect(await rejection(decode(1, series, 10_000))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});
