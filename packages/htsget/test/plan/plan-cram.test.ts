import { type CraiIndex, parseCrai } from '@htskit/indexes';
import type { HtsgetRegion } from '@htskit/protocol';
import { describe, expect, test } from 'vitest';
import type { CramFile } from '../../src/file/cram-file.js';
import { DEFAULT_LIMITS, type HtsgetLimits } from '../../src/limits.js';
import type { Segment } from '../../src/plan/plan.js';
import { planCram } from '../../src/plan/plan-cram.js';
import type { PlanInput } from '../../src/plan/plan-input.js';

const file: CramFile = {
  format: 'CRAM',
  version: { major: 3, minor: 0 },
  header: { text: '', referenceIds: new Map(['chr1', 'chr2', 'chr3'].map((name, id) => [name, id])) },
  references: [],
  headerBytes: new Uint8Array(100),
  hasEofContainer: true,
  end: 9000,
  size: 9038,
  eofContainer: new Uint8Array(38),
};

type Line = readonly [referenceId: number, start: number, span: number, containerStart: number];

/** Parses a CRAI index with one slice per line; starts are 1-based. */
function createIndex(lines: readonly Line[]): ReturnType<typeof parseCrai> {
  const text = lines
    .map(([id, start, span, container]) => `${id}\t${start}\t${span}\t${container}\t20\t400\n`)
    .join('');
  return parseCrai(new TextEncoder().encode(text));
}

/** Containers at 100, 1000, 2000 …: two of chr1, one that chr1, chr2 and chr3 share, one of chr3, one of unplaced reads. */
const index = createIndex([
  [0, 1, 1000, 100],
  [0, 1001, 1000, 1000],
  [0, 2001, 500, 2000],
  [1, 1, 700, 2000],
  [2, 1, 300, 2000],
  [2, 301, 900, 3000],
  [-1, 0, 0, 4000],
]);

function describeSegment(segment: Segment): string {
  if (segment.kind === 'range') return `${segment.class === 'header' ? 'header ' : ''}${segment.start}-${segment.end}`;
  return `${segment.kind} ${segment.class}`;
}

/** An input, and limits. */
type Overrides = Partial<PlanInput<CramFile, CraiIndex>> & Partial<HtsgetLimits>;

function planned(input: Overrides): string[] {
  const limits = { ...DEFAULT_LIMITS, gapBytes: 0, blockBytes: 1_000_000, ...input };
  const { format, segments } = planCram({ file, index, query: {}, ...input, limits });
  expect(format).toBe('CRAM');
  return segments.map(describeSegment);
}

/** The segments between the header and the EOF container. */
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

describe('regions', () => {
  test.each<[string, HtsgetRegion[], Overrides, string[]]>([
    ['select whole containers', [region('chr1', 0, 10)], {}, ['100-1000']],
    ['select neighbouring containers as one range', [region('chr1', 900, 1100)], {}, ['100-2000']],
    [
      'select a container once that several references share',
      [region('chr2'), region('chr3', 0, 9)],
      {},
      ['2000-3000'],
    ],
    [
      'are in file order and merged',
      [region('chr3', 400, 500), region('chr1', 5, 9), region('chr1', 0, 6)],
      {},
      ['100-1000', '3000-4000'],
    ],
    [
      'read over a gap of at most gapBytes',
      [region('chr1', 0, 9), region('chr2', 0, 9)],
      { gapBytes: 1000 },
      ['100-3000'],
    ],
    [
      'are cut twice around a longer gap',
      [region('chr1', 0, 9), region('chr2', 0, 9)],
      { gapBytes: 999 },
      ['100-1000', '2000-3000'],
    ],
    ['select nothing where no slice lies', [region('chr2', 700, 900)], {}, []],
    ['select nothing if they are empty', [region('chr1', 5, 5)], {}, []],
    ['select the containers of unplaced reads up to the EOF container', [region('*')], {}, ['4000-9000']],
    ['may be placed and unplaced', [region('*'), region('chr3', 400, 500)], {}, ['3000-9000']],
    [
      'select slices of unknown references, too',
      [region('chr2')],
      {
        index: createIndex([
          [-2, 0, 0, 500],
          [1, 1, 9, 600],
        ]),
      },
      ['500-9000'],
    ],
    ['are answered by the whole file without an index', [region('chr2', 5, 9)], { index: undefined }, ['100-9000']],
    ['that are empty select nothing without an index', [region('chr2', 5, 5)], { index: undefined }, []],
  ])('%s', (_, regions, input, expected) => {
    expect(body(regions, input)).toEqual(expected);
  });

  test('of a reference that the header lacks are NotFound', () => {
    const plan = (): unknown => body([region('CHR2')]);
    expect(plan).toThrow('unknown reference "CHR2"; did you mean "chr2"? (3 references: chr1, chr2, chr3)');
    expect(plan).toThrow(expect.objectContaining({ code: 'NotFound' }));
  });
});

describe('an index that contradicts the file', () => {
  test.each<[string, Line[], string[]]>([
    [
      'the header',
      [
        [0, 1, 9, 50],
        [0, 100, 9, 600],
      ],
      ['100-600'],
    ],
    [
      'the EOF container',
      [
        [0, 1, 9, 8000],
        [0, 100, 9, 9038],
      ],
      ['8000-9000'],
    ],
  ])('does not make %s a part of the body', (_, lines, expected) => {
    expect(body([region('chr1', 0, 9)], { index: createIndex(lines) })).toEqual(expected);
  });

  test.each<[string, Line[], number]>([
    ['a container past the end of the file', [[0, 1, 9, 9038]], 9038],
    [
      'a container that ends past the end of the file',
      [
        [0, 1, 9, 8000],
        [0, 100, 9, 9100],
      ],
      9100,
    ],
  ])('is an error if it has %s', (_, lines, offset) => {
    const plan = (): unknown => body([region('chr1', 0, 9)], { index: createIndex(lines) });
    expect(plan).toThrow(`index refers to offset ${offset}, past the end of the file (9038 bytes)`);
    expect(plan).toThrow(expect.objectContaining({ code: 'INVALID_DATA' }));
  });
});

describe('the whole file', () => {
  test('is one range between the header and the EOF container', () => {
    expect(body(undefined)).toEqual(['100-9000']);
  });

  test.each([
    [2000, ['100-2000', '2000-4000', '4000-9000']],
    [1, ['100-1000', '1000-2000', '2000-3000', '3000-4000', '4000-9000']],
  ])('is split at containers that the index knows, at most %i bytes apart if possible', (blockBytes, expected) => {
    expect(body(undefined, { blockBytes })).toEqual(expected);
    expect(body(undefined, { blockBytes, index: undefined })).toEqual(['100-9000']);
  });

  test('of class header has no body', () => {
    expect(planned({ query: { class: 'header', regions: [region('x')] } })).toEqual(['inline header', 'inline body']);
  });

  test('has a header of its own if it exceeds inlineBytes', () => {
    expect(planned({ inlineBytes: 99 })[0]).toBe('header 0-100');
  });

  test('has no EOF container if its version has none', () => {
    expect(planned({ file: { ...file, eofContainer: new Uint8Array(0) } })).toEqual(['inline header', '100-9000']);
  });
});
