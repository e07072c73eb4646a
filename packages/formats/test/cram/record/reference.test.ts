import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CramReferenceRequest } from '../../../src/index.js';
import { bits, block, constant, external, type SliceParts, simple } from '../build-cram.js';
import { BASES, rejection, samLinesOf, source } from './decode-slices.js';

const series = { ...simple, AP: external(1), CF: constant(0) };
const compression = { series: { ...series, NF: constant(0) }, hasReadNames: false, needsReference: true };

/** A slice of records at 1-based positions of the first reference. */
function sliceAt(positions: readonly number[], parts: Partial<SliceParts> = {}): SliceParts {
  const blocks = [block('core', 0, []), block('external', 1, positions)];
  return { referenceId: 0, start: 1, span: BASES.length, recordCount: positions.length, blocks, ...parts };
}

const md5Of = (bases: string): number[] => [...createHash('md5').update(bases).digest()];

/** Decodes slices, and returns the requests for bases. */
async function requestsOf(slices: readonly SliceParts[]): Promise<CramReferenceRequest[]> {
  const requests: CramReferenceRequest[] = [];
  const reference = (request: CramReferenceRequest): Promise<Uint8Array> => {
    requests.push(request);
    return source(request);
  };
  await samLinesOf(compression, slices, { reference });
  return requests;
}

describe('the reference of a slice', () => {
  test('gives records their bases, MD and NM, where N counts as a mismatch', async () => {
    const lines = await samLinesOf(compression, [sliceAt([2, 5])]);
    expect(lines).toEqual([
      'cram:1\t0\tone\t2\t0\t10M\t*\t0\t0\tCGTACGTACG\t*\tMD:Z:10\tNM:i:0',
      'cram:2\t0\tone\t5\t0\t10M\t*\t0\t0\tACGTACGTNC\t*\tMD:Z:8N1\tNM:i:1',
    ]);
  });

  test('is requested once for each slice, with the MD5 of the whole reference', async () => {
    const requests = await requestsOf([sliceAt([2, 5]), sliceAt([9], { start: 9, span: 10 })]);
    const common = { name: 'one', length: BASES.length, md5: '0123456789abcdef0123456789abcdef' };
    expect(requests).toMatchObject([
      { ...common, start: 0, end: 40 },
      { ...common, start: 8, end: 18 },
    ]);
  });

  test('is requested around the records of a slice of several references', async () => {
    // The bits of a record are its reference id plus one.
    const blocks = [block('core', 0, bits('01 01 10')), block('external', 1, [3, 20, 7])];
    const slice = { recordCount: 3, blocks };
    const seen: string[] = [];
    const reference = async ({ name, start, end }: CramReferenceRequest): Promise<Uint8Array> => {
      seen.push(`${name}:${start}-${end}`);
      return new Uint8Array(end - start).fill(65);
    };
    const lines = await samLinesOf(compression, [slice], { reference });
    expect(seen).toEqual(['one:2-29', 'two:6-16']);
    expect(lines.map((line) => line.split('\t')[9])).toEqual(new Array(3).fill('AAAAAAAAAA'));
  });

  test('is not requested if records need none', async () => {
    const reference = async (): Promise<never> => {
      throw new Error('requested');
    };
    const lines = await samLinesOf({ ...compression, needsReference: false }, [sliceAt([2])], { reference });
    expect(lines).toEqual(['cram:1\t0\tone\t2\t0\t10M\t*\t0\t0\t==========\t*']);
    const embedded = block('external', 5, [...new TextEncoder().encode(BASES)]);
    const parts = sliceAt([2]);
    const slice = { ...parts, blocks: [...parts.blocks, embedded], embeddedReferenceId: 5 };
    const [line] = await samLinesOf(compression, [slice], { reference });
    expect(line).toContain('CGTACGTACG');
  });

  test('may be in lower case', async () => {
    const reference = async (request: CramReferenceRequest): Promise<Uint8Array> =>
      new TextEncoder().encode(BASES.toLowerCase().slice(request.start, request.end));
    expect(await samLinesOf(compression, [sliceAt([5])], { reference })).toEqual(
      await samLinesOf(compression, [sliceAt([5])]),
    );
  });

  test('is not changed if it is a Buffer in lower case', async () => {
    const bases = Buffer.from(BASES.toLowerCase());
    await samLinesOf(compression, [sliceAt([2])], { reference: async ({ start, end }) => bases.subarray(start, end) });
    expect(bases.toString()).toBe(BASES.toLowerCase());
  });

  test('is named with its MD5 if it is missing', async () => {
    const missing = async (): Promise<undefined> => undefined;
    for (const reference of [undefined, missing]) {
      const error = await rejection(samLinesOf(compression, [sliceAt([2])], { reference }));
      expect(error).toMatchObject({ name: 'FormatError', code: 'MISSING_REFERENCE' });
      expect(String(error)).toContain('reference "one" (MD5 0123456789abcdef0123456789abcdef) is not available');
    }
    const other = await rejection(samLinesOf(compression, [sliceAt([2], { referenceId: 1 })], { reference: missing }));
    expect(String(other)).toContain('reference "two" (without MD5) is not available');
  });

  test('must have the MD5 of the slice', async () => {
    const md5 = md5Of(BASES);
    expect(await rejection(samLinesOf(compression, [sliceAt([2], { md5 })]))).toBeUndefined();
    const error = await rejection(samLinesOf(compression, [sliceAt([2], { md5: md5Of('other') })]));
    expect(error).toMatchObject({ code: 'REFERENCE_MISMATCH' });
    expect(String(error)).toMatch(/MD5 of reference "one" at 1-40 is [0-9a-f]{32}, but the slice was written with/);
    const short = async (request: CramReferenceRequest): Promise<Uint8Array> => (await source(request)).subarray(1);
    expect(await rejection(samLinesOf(compression, [sliceAt([2])], { reference: short }))).toMatchObject({
      code: 'REFERENCE_MISMATCH',
    });
  });

  test('must contain the records of the slice', async () => {
    const outside = [sliceAt([30], { span: 35 }), sliceAt([2], { start: 3 })];
    for (const slice of outside) {
      const error = await rejection(samLinesOf(compression, [slice]));
      expect(error).toMatchObject({ code: 'INVALID_DATA' });
      expect(String(error)).toContain('past the reference bases of its slice');
    }
  });

  test('ends before a record that extends past it', async () => {
    const lines = await samLinesOf(compression, [sliceAt([36], { span: 60 })]);
    expect(lines).toEqual(['cram:1\t0\tone\t36\t0\t10M\t*\t0\t0\tTACGTNNNNN\t*\tMD:Z:10\tNM:i:0']);
  });

  test('must consist of letters if it is embedded', async () => {
    const parts = sliceAt([2]);
    const embedded = (bytes: readonly number[]): SliceParts => ({
      ...parts,
      blocks: [...parts.blocks, block('external', 5, bytes)],
      embeddedReferenceId: 5,
    });
    for (const bytes of [new Array<number>(40).fill(0), [65]]) {
      expect(await rejection(samLinesOf(compression, [embedded(bytes)]))).toMatchObject({ code: 'INVALID_DATA' });
    }
  });
});
