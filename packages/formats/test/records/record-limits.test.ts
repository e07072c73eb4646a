import { type BorrowedBytes, MemoryBudget, MemoryError, toOwned } from '@htskit/io';
import { MemoryAccount } from '@htskit/io/internal';
import { checkMutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  createBamFilter,
  createBamRewriter,
  createBamToSam,
  createBcfFilter,
  createBcfRewriter,
  createBcfToVcf,
  createSamToBam,
  createVcfFilter,
  createVcfRewriter,
  createVcfToBcf,
  FormatError,
} from '../../src/index.js';
import type { RecordLimits } from '../../src/internal.js';
import { ascii, buildRecord, join } from '../bam/build-bam.js';

const MiB = 2 ** 20;

/** The methods that filters, rewriters and converters share. */
interface RecordPieces {
  push(piece: Uint8Array): readonly BorrowedBytes[];
  finish(): readonly BorrowedBytes[];
}

const TEXT =
  '##fileformat=VCFv4.3\n##contig=<ID=chr1,length=1000>\n##INFO=<ID=X,Number=1,Type=String,Description="">\n';
const HEADER = { text: `${TEXT}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n` };
const REFERENCES = { text: '', references: [{ name: 'chr1', length: 1000 }] };
const INTERVALS = [{ referenceName: 'chr1', referenceId: 0, start: 0, end: 100 }];

const vcfLine = (length: number): Uint8Array => ascii(`chr1\t5\t.\tA\tC\t.\t.\tX=${'A'.repeat(length)}\n`);
const samLine = (length: number): Uint8Array =>
  ascii(`r\t0\tchr1\t5\t60\t1M\t*\t0\t0\tA\t*\tXX:Z:${'A'.repeat(length)}\n`);
const bamRecord = (length: number): Uint8Array =>
  buildRecord({ tags: join([ascii('XXZ'), new Uint8Array(length).fill(65), Uint8Array.of(0)]) });
const bcfRecord = (length: number): Uint8Array => {
  const converter = createVcfToBcf(HEADER);
  return join([...converter.push(vcfLine(length)).map(toOwned), ...converter.finish().map(toOwned)]);
};

/** A reader or a writer of records with a limit, and a record of at least `length` bytes. */
type LimitedFormat = readonly [
  name: string,
  create: (limits: RecordLimits) => RecordPieces,
  record: (length: number) => Uint8Array,
];

const FORMATS: readonly LimitedFormat[] = [
  ['a filter of BAM', (limits) => createBamFilter(INTERVALS, limits), bamRecord],
  ['a filter of BCF', (limits) => createBcfFilter(INTERVALS, limits), bcfRecord],
  ['a filter of VCF', (limits) => createVcfFilter(INTERVALS, limits), vcfLine],
  ['a rewriter of BAM', (limits) => createBamRewriter({ notags: ['MD'] }, limits), bamRecord],
  ['a rewriter of BCF', (limits) => createBcfRewriter({ notags: ['Y'] }, new Map([[1, 'X']]), limits), bcfRecord],
  ['a rewriter of VCF', (limits) => createVcfRewriter({ notags: ['Y'] }, limits), vcfLine],
  ['a converter of BAM', (limits) => createBamToSam(REFERENCES, limits), bamRecord],
  ['a converter of BCF', (limits) => createBcfToVcf(HEADER, limits), bcfRecord],
  ['a converter of VCF', (limits) => createVcfToBcf(HEADER, limits), vcfLine],
  ['a converter of SAM', (limits) => createSamToBam(REFERENCES, limits), samLine],
];

function pass(pieces: RecordPieces, data: Uint8Array, pieceBytes: number): Uint8Array {
  const output: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += pieceBytes) {
    for (const piece of pieces.push(data.subarray(at, at + pieceBytes))) output.push(toOwned(piece));
  }
  return join([...output, ...pieces.finish().map(toOwned)]);
}

function failure(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(FORMATS)('%s', (_, create, record) => {
  test('refuses a record over `recordBytes` at its offset', () => {
    const short = record(10);
    const data = join([short, short, record(10_000)]);
    const recordBytes = data.length - 2 * short.length;
    expect(pass(create({ recordBytes }), data, 777).length).toBeGreaterThan(10_000);
    const error = failure(() => pass(create({ recordBytes: recordBytes - 1 }), data, 777));
    expect(error).toMatchObject({ name: 'FormatError', code: 'LIMIT_EXCEEDED', offset: 2 * short.length });
    expect(String(error)).toContain('limits.recordBytes');
  });

  test('reserves memory for long records, and refuses one over the budget at its offset', () => {
    const short = record(10);
    const data = join([short, record(3 * MiB), short]);
    const budget = new MemoryBudget(32 * MiB);
    let used = 0;
    const memory = budget.open();
    const pieces = create({ memory });
    for (let at = 0; at < data.length; at += 65_536) {
      pieces.push(data.subarray(at, at + 65_536));
      used = Math.max(used, budget.usedBytes);
    }
    pieces.push(short);
    pieces.push(short);
    expect(used).toBeGreaterThan(3 * MiB);
    expect(budget.usedBytes).toBe(0);

    const small = new MemoryBudget(3 * MiB);
    const error = failure(() => pass(create({ memory: small.open() }), data, 65_536));
    expect(error).toMatchObject({ name: 'FormatError', code: 'LIMIT_EXCEEDED', offset: short.length });
  });

  test('fails for now if others hold the memory', () => {
    const budget = new MemoryBudget(16 * MiB);
    budget.open().reserve(14 * MiB);
    const error = failure(() => pass(create({ memory: budget.open() }), record(3 * MiB), 65_536));
    expect(error).toMatchObject({ name: 'MemoryError', code: 'EXHAUSTED' });
  });

  test('passes or refuses damaged records within its limits', async () => {
    const data = join([record(10), record(3000), record(10)]);
    const budget = new MemoryBudget(2 * MiB);
    const outcomes = await checkMutations(data, {
      seed: 43,
      count: volume(300),
      check: (bytes) => {
        const memory = new MemoryAccount(budget.open().share);
        try {
          pass(create({ recordBytes: 2000, memory }), bytes, 500);
          return true;
        } catch (error) {
          if (error instanceof FormatError || error instanceof MemoryError) return false;
          throw error;
        } finally {
          expect(budget.usedBytes).toBeLessThanOrEqual(budget.maxBytes);
          memory.close();
        }
      },
    });
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(budget.usedBytes).toBe(0);
  });
});
