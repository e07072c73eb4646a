import { deflateBlocks, EOF_MARKER, type VirtualOffset } from '@htskit/bgzf';
import { type BinningIndex, parseBai } from '@htskit/indexes';
import type { HtsgetRegion } from '@htskit/protocol';
import { describe, expect, test } from 'vitest';
import type { BgzfFile } from '../../src/file/bgzf-file.js';
import { DEFAULT_LIMITS, type HtsgetLimits } from '../../src/limits.js';
import { MAX_INTERVALS } from '../../src/plan/packed-intervals.js';
import type { Segment } from '../../src/plan/plan.js';
import { planBgzf } from '../../src/plan/plan-bgzf.js';
import type { PlanInput } from '../../src/plan/plan-input.js';
import { nameTable } from './name-table.js';

type Offset = readonly [coffset: number, uoffset: number];

/** A chunk of the bin of one 16,384-base window. */
interface WindowChunk {
  readonly window: number;
  readonly start: Offset;
  readonly end: Offset;
}

const HEADER_BYTES = 100;
const BODY_END = 8_000_000;

const file: BgzfFile = {
  format: 'BAM',
  header: { text: '', referenceIds: nameTable('chr1', 'chr2', 'chr3') },
  headerBlocks: deflateBlocks(new TextEncoder().encode('header')),
  firstRecord: { coffset: HEADER_BYTES, uoffset: 5 },
  ending: 'marked',
  end: { coffset: BODY_END, uoffset: 0 },
  size: BODY_END + EOF_MARKER.length,
};

/** Writes a BAI index (SAMv1 §5.2) whose leaf bins have the chunks of one window each, and reads it. */
function createIndex(references: readonly (readonly WindowChunk[])[], unplacedCount?: number): BinningIndex {
  const bytes: number[] = [];
  const u32 = (value: number): void => {
    for (let shift = 0; shift < 32; shift += 8) bytes.push((value >>> shift) & 255);
  };
  const offset = ([coffset, uoffset]: Offset): void => {
    u32((coffset * 65536 + uoffset) % 2 ** 32);
    u32(Math.floor((coffset * 65536) / 2 ** 32));
  };
  bytes.push(...new TextEncoder().encode('BAI\u0001'));
  u32(references.length);
  for (const chunks of references) {
    const windows = [...new Set(chunks.map(({ window }) => window))];
    u32(windows.length);
    for (const window of windows) {
      const own = chunks.filter((chunk) => chunk.window === window);
      u32(4681 + window);
      u32(own.length);
      for (const { start, end } of own) {
        offset(start);
        offset(end);
      }
    }
    // The linear index has no lower bounds.
    u32(0);
  }
  if (unplacedCount !== undefined) {
    u32(unplacedCount);
    u32(0);
  }
  return parseBai(Uint8Array.from(bytes));
}

const SPAN = 16_384;

/** chr1 has three windows, the second of which is long; chr3 precedes chr2 in the file. */
const index = createIndex(
  [
    [
      { window: 0, start: [HEADER_BYTES, 5], end: [200_000, 10] },
      { window: 1, start: [200_000, 10], end: [900_000, 20] },
      { window: 2, start: [900_000, 20], end: [1_000_000, 30] },
      { window: 9, start: [1_050_000, 0], end: [1_060_000, 7] },
      { window: 20, start: [2_000_000, 0], end: [2_100_000, 0] },
    ],
    [{ window: 0, start: [5_000_000, 0], end: [5_100_000, 0] }],
    [{ window: 0, start: [4_000_000, 0], end: [4_100_000, 0] }],
  ],
  7,
);

function formatOffset({ coffset, uoffset }: VirtualOffset): string {
  return `${coffset}:${uoffset}`;
}

/** For example `cut 100:5-200000:10 chr1:0-50 chr2:0-50` with the intervals that it is filtered to. */
function describeSegment(segment: Segment): string {
  if (segment.kind === 'inline') return `inline ${segment.class}`;
  if (segment.kind === 'header') return 'header';
  if (segment.kind === 'range') return `range ${segment.start}-${segment.end}`;
  const { start, end, intervals, recordsFrom, isUnsorted } = segment;
  const filter = intervals?.map(({ referenceName, start: from, end: to }) => ` ${referenceName}:${from}-${to}`) ?? [];
  const from = recordsFrom === undefined ? '' : ` from ${recordsFrom}`;
  const order = isUnsorted === true ? 'unsorted ' : '';
  return `${segment.class === 'header' ? 'header ' : order}cut ${formatOffset(start)}-${formatOffset(end)}${filter.join('')}${from}`;
}

/** An input, and limits. */
type Overrides = Partial<PlanInput<BgzfFile, BinningIndex>> & Partial<HtsgetLimits>;

const DEFAULTS = { file, index, query: {}, precision: 'exact', isRestricted: false } as const;
const LIMITS = { ...DEFAULT_LIMITS, exactBytes: 0 };

function planned(input: Overrides): string[] {
  const limits = { ...LIMITS, ...input };
  return planBgzf({ ...DEFAULTS, ...input, limits }).segments.map(describeSegment);
}

/** The segments between the header and the EOF marker. */
function body(regions: readonly HtsgetRegion[] | undefined, input: Overrides = {}): string[] {
  const segments = planned({ query: regions === undefined ? {} : { regions }, ...input });
  expect([segments[0], segments.at(-1)]).toEqual(['inline header', 'inline body']);
  return segments.slice(1, -1);
}

const region = (referenceName: string, start?: number, end?: number): HtsgetRegion => ({
  referenceName,
  ...(start !== undefined && { start }),
  ...(end !== undefined && { end }),
});

describe('a region', () => {
  test.each<[string, HtsgetRegion[], Overrides, string[]]>([
    [
      'cuts at the chunk with precision chunks',
      [region('chr1', 10, 20)],
      { precision: 'chunks' },
      ['cut 100:5-200000:10'],
    ],
    ['filters the chunk with precision exact', [region('chr1', 10, 20)], {}, ['cut 100:5-200000:10 chr1:10-20']],
    ['has no cut if no chunk can hold its records', [region('chr1', 5 * SPAN, 6 * SPAN)], {}, []],
    ['has no cut if it is empty', [region('chr1', 10, 10)], {}, []],
    ['has no cut beyond the indexable positions', [region('chr1', 2 ** 40)], {}, []],
    [
      'passes the interior through and filters its edges',
      [region('chr1', 100, 3 * SPAN - 100)],
      {},
      [
        `cut 100:5-200000:10 chr1:100-${3 * SPAN - 100}`,
        'cut 200000:10-900000:20',
        `cut 900000:20-1000000:30 chr1:100-${3 * SPAN - 100}`,
      ],
    ],
    [
      'does not pass an interior through that is shorter than two blocks',
      [region('chr1', 9 * SPAN - 1, 11 * SPAN)],
      {},
      [`cut 1050000:0-1060000:7 chr1:${9 * SPAN - 1}-${11 * SPAN}`],
    ],
    [
      'reads over a gap of at most gapBytes',
      [region('chr1', 2 * SPAN + 5, 9 * SPAN + 5)],
      { gapBytes: 50_000, precision: 'chunks' },
      ['cut 900000:20-1060000:7'],
    ],
    [
      'is cut twice around a longer gap',
      [region('chr1', 2 * SPAN + 5, 9 * SPAN + 5)],
      { gapBytes: 49_999, precision: 'chunks' },
      ['cut 900000:20-1000000:30', 'cut 1050000:0-1060000:7'],
    ],
  ])('%s', (_, regions, input, expected) => {
    expect(body(regions, input)).toEqual(expected);
  });

  test.each([
    [100_000, 'cut 900000:20-1000000:30 chr1:32778-32788'],
    [99_999, 'cut 900000:20-1000000:30'],
  ])('of precision auto and a limit of %i bytes is planned as %s', (exactBytes, expected) => {
    expect(body([region('chr1', 2 * SPAN + 10, 2 * SPAN + 20)], { precision: 'auto', exactBytes })).toEqual([expected]);
  });
});

test('with precision auto each region has its own limit', () => {
  const short = region('chr1', 2 * SPAN + 10, 2 * SPAN + 20);
  const long = region('chr1', SPAN + 10, SPAN + 20);
  const other = region('chr2', 0, 9);
  const auto = { precision: 'auto', exactBytes: 100_000 } as const;
  expect(body([short, other, long], { ...auto, gapBytes: -1 })).toEqual([
    // Chunks that touch are one: each region in it adds to its limit.
    'cut 200000:10-1000000:30',
    'cut 5000000:0-5100000:0 chr2:0-9',
  ]);
  expect(body([short, other], auto)).toEqual([
    'cut 900000:20-1000000:30 chr1:32778-32788',
    'cut 5000000:0-5100000:0 chr2:0-9',
  ]);
  expect(body([long, other], auto)).toEqual(['cut 200000:10-900000:20', 'cut 5000000:0-5100000:0 chr2:0-9']);
});

describe('several regions', () => {
  test('are merged where they touch, and select each record once', () => {
    const regions = [region('chr1', 30, 40), region('chr1', 10, 20), region('chr1', 20, 30), region('chr1', 15, 25)];
    expect(body(regions)).toEqual(['cut 100:5-200000:10 chr1:10-40']);
  });

  test('of one chunk share a cut', () => {
    expect(body([region('chr1', 10, 20), region('chr1', 50, 60)])).toEqual([
      'cut 100:5-200000:10 chr1:10-20 chr1:50-60',
    ]);
  });

  test('are in the order of the file, which may differ from that of the header', () => {
    expect(body([region('chr2', 0, 9), region('chr3', 0, 9), region('chr1', 0, 9)])).toEqual([
      'cut 100:5-200000:10 chr1:0-9',
      'cut 4000000:0-4100000:0 chr3:0-9',
      'cut 5000000:0-5100000:0 chr2:0-9',
    ]);
  });

  test('beyond those that a block URL can carry are cut in groups, in file order', () => {
    const many = (name: string): HtsgetRegion[] =>
      Array.from({ length: MAX_INTERVALS + 1 }, (_, i) => region(name, 10 * i, 10 * i + 5));
    const cuts = body([...many('chr2'), ...many('chr3')]);
    const summary = cuts.map(
      (cut) => `${cut.split(' ')[1]} ${cut.match(/chr\d:/g)?.length} ${/from \d+/.exec(cut)?.[0] ?? 'from 0'}`,
    );
    expect(summary).toEqual([
      '4000000:0-4100000:0 64 from 0',
      '4000000:0-4100000:0 1 from 635',
      // The last interval of chr3 has a group of its own: with `recordsFrom` a group holds one reference.
      '5000000:0-5100000:0 64 from 0',
      '5000000:0-5100000:0 1 from 635',
    ]);
  });
});

describe('unplaced reads', () => {
  const unplaced = [region('*')];
  const placed = [[{ window: 0, start: [100, 5], end: [6000, 7] }]] as const;

  test.each<[string, Overrides, string[]]>([
    ['begin where the last placed record ends', {}, [`cut 5100000:0-${BODY_END}:0`]],
    ['may exist if the index counts none', { index: createIndex(placed, 0) }, [`cut 6000:7-${BODY_END}:0`]],
    ['may exist if the index does not count them', { index: createIndex(placed) }, [`cut 6000:7-${BODY_END}:0`]],
    ['are all records of a file without placed ones', { index: createIndex([[]], 3) }, [`cut 100:5-${BODY_END}:0`]],
    [
      'are filtered if the query is restricted',
      { isRestricted: true },
      [`cut 5100000:0-${BODY_END}:0 *:-2147483648-9007199254740991`],
    ],
    ['are answered by the whole file without an index', { index: undefined }, [`cut 100:5-${BODY_END}:0`]],
    [
      'are filtered without an index if the query is restricted',
      { index: undefined, isRestricted: true },
      [`unsorted cut 100:5-${BODY_END}:0 *:-2147483648-9007199254740991`],
    ],
  ])('%s', (_, input, expected) => {
    expect(body(unplaced, input)).toEqual(expected);
  });

  test('need no cut if no record follows the last placed one', () => {
    const short = { ...file, end: { coffset: 6000, uoffset: 7 }, size: 6007 };
    expect(body(unplaced, { file: short, index: createIndex(placed, 0) })).toEqual([]);
  });

  test('that the index counts but the file does not have are an error', () => {
    const short = { ...file, end: { coffset: 5_100_000, uoffset: 0 }, size: 5_100_000 };
    expect(() => planned({ file: short, query: { regions: unplaced } })).toThrow(/counts 7 unplaced reads/);
  });
});

describe('an index that contradicts the file', () => {
  const bounds = (start: Offset, end: Offset): BinningIndex => createIndex([[{ window: 0, start, end }]]);

  test.each<[string, BinningIndex, string[]]>([
    ['the header', bounds([0, 0], [5000, 0]), ['cut 100:5-5000:0 chr1:0-9']],
    ['the EOF marker', bounds([5000, 0], [BODY_END + 28, 0]), [`cut 5000:0-${BODY_END}:0 chr1:0-9`]],
    ['the header alone', bounds([0, 0], [90, 0]), []],
  ])('does not make %s a part of the body', (_, contradicting, expected) => {
    expect(body([region('chr1', 0, 9)], { index: contradicting })).toEqual(expected);
  });

  test('is an error if it refers to an offset past the end of the file', () => {
    const plan = (): unknown => body([region('chr1', 0, 9)], { index: bounds([5000, 0], [BODY_END + 29, 0]) });
    expect(plan).toThrow(`index refers to offset ${BODY_END + 29}, past the end of the file (${BODY_END + 28} bytes)`);
    expect(plan).toThrow(expect.objectContaining({ code: 'INVALID_DATA' }));
  });
});

describe('without an index', () => {
  test('a region is filtered out of the whole file, in which records may have any order', () => {
    expect(body([region('chr2', 5, 9)], { index: undefined, precision: 'chunks' })).toEqual([
      `unsorted cut 100:5-${BODY_END}:0 chr2:5-9`,
    ]);
  });

  const many = Array.from({ length: MAX_INTERVALS + 1 }, (_, i) => region('chr1', 10 * i, 10 * i + 5));

  test('more regions than a block URL can carry are answered by the whole file', () => {
    expect(body(many, { index: undefined })).toEqual([`cut 100:5-${BODY_END}:0`]);
  });

  test('more regions than a block URL can carry are PayloadTooLarge if the query is restricted', () => {
    expect(() => body(many, { index: undefined, isRestricted: true })).toThrow(
      expect.objectContaining({ code: 'PayloadTooLarge' }),
    );
  });
});

describe('a reference that the header lacks', () => {
  test.each([
    ['1', 'unknown reference "1"; did you mean "chr1"? (3 references: chr1, chr2, chr3)'],
    ['x', 'unknown reference "x" (3 references: chr1, chr2, chr3)'],
  ])('is NotFound: %s', (name, message) => {
    const plan = (): unknown => body([region(name)]);
    expect(plan).toThrow(message);
    expect(plan).toThrow(expect.objectContaining({ code: 'NotFound' }));
  });

  test('is NotFound before an invalid range of another region is reported', () => {
    const query = { regions: [region('chr1', 2, 1), region('x')], invalidRange: 'start exceeds end' };
    expect(() => planned({ query })).toThrow(expect.objectContaining({ code: 'NotFound' }));
    expect(() => planned({ query: { ...query, regions: [region('chr1', 2, 1)] } })).toThrow(
      expect.objectContaining({ code: 'InvalidRange', message: 'start exceeds end' }),
    );
  });

  test('is skipped if the client did not name it', () => {
    const query = { regions: [region('x'), region('chr1', 0, 9)], skipsUnknown: true };
    expect(planned({ query })).toEqual(['inline header', 'cut 100:5-200000:10 chr1:0-9', 'inline body']);
  });

  test('is valid in a VCF file with neither contigs nor an index', () => {
    const vcf: BgzfFile = { ...file, format: 'VCF', header: { text: '', referenceIds: nameTable() } };
    expect(body([region('x', 0, 9)], { file: vcf, index: undefined })).toEqual([
      `unsorted cut 100:5-${BODY_END}:0 x:0-9`,
    ]);
  });
});

describe('the whole file', () => {
  test('is one cut from the first record to the EOF marker, with or without an index', () => {
    for (const input of [{}, { index: undefined }]) expect(body(undefined, input)).toEqual([`cut 100:5-${BODY_END}:0`]);
  });

  test('of class header has no body', () => {
    expect(planned({ query: { class: 'header' } })).toEqual(['inline header', 'inline body']);
  });

  test('has a header of its own if it exceeds inlineBytes', () => {
    expect(planned({ inlineBytes: 0 })[0]).toBe('header cut 0:0-100:5');
  });

  test('as VCFTEXT has an uncompressed header and no EOF marker', () => {
    const { format, segments } = planBgzf({
      ...DEFAULTS,
      file: { ...file, format: 'VCF' },
      index: undefined,
      query: { format: 'VCFTEXT' },
      limits: LIMITS,
    });
    expect(format).toBe('VCFTEXT');
    expect(segments.map(describeSegment)).toEqual(['inline header', `cut 100:5-${BODY_END}:0`]);
    expect(segments[0]).toMatchObject({ bytes: new TextEncoder().encode('header') });
  });
});
