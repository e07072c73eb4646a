import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AlignmentRecord,
  FormatError,
  MISMATCH_KINDS,
  type Mismatch,
  type ReferenceBases,
} from '../../../src/index.js';
import { ascii, buildRecord, join } from '../build-bam.js';
import { modelMismatches } from './mismatch-model.js';

const START = 20;

/** An alignment whose parts need not fit each other. */
interface Input {
  readonly operations: readonly (readonly [length: number, code: number])[];
  /** The 4-bit codes of SEQ, two in each byte. */
  readonly pairs: Uint8Array;
  readonly baseCount: number;
  readonly tags: Uint8Array;
  readonly flag: number;
  readonly reference: ReferenceBases | undefined;
}

const md = fc.oneof(
  fc
    .array(fc.oneof(fc.nat(12).map(String), fc.constantFrom('A', 'C', 'N', 'g', '^A', '^ct', '^GGA', '^', '*', '0')))
    .map((entries) => entries.join('')),
  fc.constantFrom('999999999999', '30', '0A0C0G0T0A0C0G0T0A0C0G', '123456789'),
);
const tags = fc.oneof(
  md.map((text) => ascii(`MDZ${text}\0`)),
  md.map((text) => ascii(`NMC\x01MDH${text}\0XXC\x01`)),
  fc.constantFrom(ascii('MDA7'), ascii('MDC\x07'), ascii(''), ascii('XXq')),
);
const reference = fc.record({
  bases: fc.string({ unit: fc.constantFrom('A', 'C', 'G', 'T', 'N', 'a', 'c', 'g', 't', 'n'), maxLength: 60 }),
  start: fc.constantFrom(0, START - 3, START, START + 4),
});
const input: fc.Arbitrary<Input> = fc.record({
  operations: fc.array(fc.tuple(fc.nat(8), fc.oneof(fc.constantFrom(0, 0, 0, 1, 2, 4, 7, 8), fc.nat(15))), {
    maxLength: 8,
  }),
  pairs: fc.uint8Array({ minLength: 20, maxLength: 20 }),
  baseCount: fc.oneof(fc.constant(0), fc.nat(40)),
  tags,
  flag: fc.constantFrom(0, 0, 0, 4),
  reference: fc.option(reference, { nil: undefined }),
});

function recordOf({ operations, pairs, baseCount, tags: bytes, flag }: Input): AlignmentRecord {
  const cigar = operations.map(([length]) => [length, 'M'] as const);
  const record = buildRecord({ position: START, flag, cigar, baseCount, tags: bytes });
  const view = new DataView(record.buffer);
  const cigarStart = 38;
  for (const [i, [length, code]] of operations.entries()) view.setUint32(cigarStart + 4 * i, length * 16 + code, true);
  record.set(pairs.subarray(0, Math.ceil(baseCount / 2)), cigarStart + 4 * operations.length);
  return new AlignmentRecord(record);
}

/** Returns what `list` appends to its argument, and whether it fails then. */
function outcome<Item>(list: (items: Item[]) => void): { readonly items: readonly Item[]; readonly fails: boolean } {
  const items: Item[] = [];
  try {
    list(items);
    return { items, fails: false };
  } catch {
    return { items, fails: true };
  }
}

/** Returns the numbers of a mismatch, as `forEachMismatch` passes them. */
function numbersOf({ type, start, length, readStart, bases, reference: base }: Mismatch): number[] {
  const codes = [bases, base ?? ''].map((text) => (type === 'substitution' && text !== '' ? text.charCodeAt(0) : 0));
  return [MISMATCH_KINDS.indexOf(type), start, length, readStart, ...codes];
}

describe('walkMismatches', () => {
  test('mismatches and forEachMismatch visit what a plain walk over decoded fields yields, up to the same fault', () => {
    let faults = 0;
    fc.assert(
      fc.property(input, (given) => {
        const record = recordOf(given);
        const expected = outcome<Mismatch>((items) => {
          for (const mismatch of modelMismatches(record, given.reference)) items.push(mismatch);
        });
        const listed = outcome<Mismatch>((items) => {
          for (const mismatch of record.mismatches(given.reference)) items.push(mismatch);
        });
        const visited = outcome<number[]>((items) => {
          record.forEachMismatch((...numbers) => items.push(numbers), { reference: given.reference });
        });
        expect(listed).toEqual(expected);
        expect(visited).toEqual({ items: expected.items.map(numbersOf), fails: expected.fails });
        if (expected.fails) faults++;
      }),
      { numRuns: volume(20_000) },
    );
    expect(faults).toBeGreaterThan(volume(1000));
  });

  test('a visit may walk over another record, or the same', () => {
    const record = recordOf({
      operations: [
        [4, 0],
        [1, 2],
        [2, 0],
      ],
      pairs: Uint8Array.of(0x12, 0x48, 0x12),
      baseCount: 6,
      tags: ascii('MDZ1T2^C0G1\0'),
      flag: 0,
      reference: undefined,
    });
    const starts: number[] = [];
    record.forEachMismatch((_, start) => {
      starts.push(start);
      record.forEachMismatch((__, inner) => starts.push(inner));
    });
    expect(starts).toEqual([21, 21, 24, 25, 24, 21, 24, 25, 25, 21, 24, 25]);
  });

  test('a fault is a FormatError, also one of a tag before MD', () => {
    for (const bytes of [ascii('MDZ1\0'), join([ascii('XXq'), ascii('MDZ4\0')])]) {
      const record = new AlignmentRecord(buildRecord({ cigar: [[4, 'M']], baseCount: 4, tags: bytes }));
      expect(() => record.forEachMismatch(() => undefined)).toThrow(FormatError);
    }
  });
});
