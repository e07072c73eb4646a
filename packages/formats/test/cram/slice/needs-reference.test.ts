import { fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createCramDecoder, FormatError, parseCramContainerHeader, parseCramHeader } from '../../../src/index.js';
import { needsReference } from '../../../src/internal.js';
import {
  bits,
  block,
  type CompressionParts,
  CRAM_2_1,
  constant,
  containerOf,
  failure,
  headerOf,
  type SliceParts,
  simple,
} from '../build-cram.js';

class Requested extends Error {}

/** Returns whether the decoder requests bases before it yields the first records of a container. */
async function isRequested(bytes: Uint8Array, start: number): Promise<boolean> {
  const header = parseCramHeader(bytes);
  const container = parseCramContainerHeader(bytes.subarray(start), { version: header.version, offset: start });
  if (container === undefined) throw new Error('the file ends within a container');
  const offset = start + container.headerLength;
  const reference = (): Promise<never> => Promise.reject(new Requested());
  const blocks = bytes.subarray(offset, offset + container.length);
  try {
    for await (const _ of createCramDecoder({ header, reference }).decode(blocks, { header: container, offset })) break;
    return false;
  } catch (error) {
    if (error instanceof Requested) return true;
    throw error;
  }
}

const FILES = [
  ...fixtureNames('.cram'),
  ...['htsjdk-3.0', 'htslib-2.1', 'htslib-3.0', 'htslib-3.1', 'noodles-3.0', 'noodles-3.1'].map(
    (name) => `cram/${name}.cram`,
  ),
  'referenced/reads.cram',
];

describe('needsReference', () => {
  test.each(FILES)('is true for the containers of %s that the decoder requests bases for', async (name) => {
    const bytes = readFixture(name);
    const { version, byteLength } = parseCramHeader(bytes);
    let containerCount = 0;
    for (let start = byteLength; start < bytes.length; containerCount++) {
      const header = parseCramContainerHeader(bytes.subarray(start), { version, offset: start });
      if (header === undefined) throw new Error('the file ends within a container');
      const offset = start + header.headerLength;
      const blocks = bytes.subarray(offset, offset + header.length);
      expect(needsReference(blocks, { version, header, offset })).toBe(await isRequested(bytes, start));
      start = offset + header.length;
    }
    expect(containerCount).toBeGreaterThan(0);
  });

  const isNeeded = (compression: CompressionParts, ...slices: readonly SliceParts[]): boolean => {
    const { bytes, header } = containerOf(compression, ...slices);
    return needsReference(bytes, { version: CRAM_2_1, header });
  };
  const placed = { referenceId: 0, start: 1, span: 10, recordCount: 1, blocks: [block('core', 0, [])] };

  test('is false without slices, without aligned records, for an embedded reference, and if the container says so', () => {
    const coding = { series: {}, needsReference: true };
    expect(isNeeded(coding, placed)).toBe(true);
    expect(isNeeded(coding)).toBe(false);
    expect(isNeeded(coding, { ...placed, referenceId: -1 })).toBe(false);
    expect(isNeeded(coding, { ...placed, embeddedReferenceId: 5 })).toBe(false);
    expect(isNeeded({ series: {} }, placed)).toBe(false);
  });

  test('looks at the records of a slice of several references', () => {
    const coding = { series: simple, needsReference: true };
    const blocks = [block('core', 0, bits('01')), block('external', 1, [5])];
    expect(isNeeded(coding, { recordCount: 1, blocks })).toBe(true);
    const unplaced = [block('core', 0, bits('00')), block('external', 1, [0])];
    const unmapped = { series: { ...simple, BF: constant(4) }, needsReference: true };
    expect(isNeeded(unmapped, { recordCount: 1, blocks: unplaced })).toBe(false);
  });

  test('answers or rejects every damaged container', () => {
    const { bytes, header } = containerOf(
      { series: simple, needsReference: true },
      {
        recordCount: 3,
        blocks: [block('core', 0, bits('01 01 10 00')), block('external', 1, [5, 9, 2, 0])],
      },
    );
    const errors = [...mutations(bytes, { seed: 5, count: volume(3000) })].map((mutation) =>
      failure(() =>
        needsReference(mutation.bytes, {
          version: CRAM_2_1,
          header: headerOf(mutation.bytes.length, header.landmarks),
        }),
      ),
    );
    expect(errors.filter((error) => error !== undefined && !(error instanceof FormatError))).toEqual([]);
    expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(volume(300));
  });
});
