import { expect, test } from 'vitest';
import { toTicket } from '../../src/deliver/ticket.js';
import type { CutSegment, InlineSegment } from '../../src/plan/plan.js';

const header: InlineSegment = { kind: 'inline', class: 'header', bytes: Uint8Array.of(1, 2, 3) };
const eof: InlineSegment = { kind: 'inline', class: 'body', bytes: Uint8Array.of(255) };

function cut(start: number, end: number): CutSegment {
  return { kind: 'cut', class: 'body', start: { coffset: start, uoffset: 0 }, end: { coffset: end, uoffset: 0 } };
}

const describeSegments = (segments: readonly CutSegment[]): string =>
  segments.map(({ start, end }) => `${start.coffset}-${end.coffset}`).join(',');

function urlsOf(...segments: Parameters<typeof toTicket>[0]['segments']): string[] {
  const ticket = toTicket(
    { format: 'BAM', segments },
    { blockBytes: 100, transformedBytes: 100, blockUrl: describeSegments },
  );
  return ticket.htsget.urls.map(({ url }) => url);
}

test('a ticket is one htsget object whose inline blocks are data URIs without headers', () => {
  const ticket = toTicket(
    { format: 'BAM', segments: [header, cut(0, 9), eof] },
    { blockBytes: 100, transformedBytes: 100, blockUrl: describeSegments },
  );
  expect(ticket).toStrictEqual({
    htsget: {
      format: 'BAM',
      urls: [
        { url: 'data:;base64,AQID', class: 'header' },
        { url: '0-9', headers: {}, class: 'body' },
        { url: 'data:;base64,/w==', class: 'body' },
      ],
    },
  });
});

test('neighbouring segments share a URL up to the limit of bytes', () => {
  expect(urlsOf(cut(0, 40), cut(50, 90), cut(100, 140))).toEqual(['0-40,50-90', '100-140']);
});

test('a segment over the limit has its own URL', () => {
  expect(urlsOf(cut(0, 400), cut(500, 510))).toEqual(['0-400', '500-510']);
});

const MiB = 2 ** 20;

function groupsOf(plan: Partial<Parameters<typeof toTicket>[0]>): number[] {
  const defaults = { format: 'BAM', segments: [] } as const;
  const options = { blockBytes: 1000 * MiB, transformedBytes: 16 * MiB, blockUrl: describeSegments };
  const { htsget } = toTicket({ ...defaults, ...plan }, options);
  return htsget.urls.map(({ url }) => url.split(',').length);
}

const many = (count: number, byteLength: number): CutSegment[] =>
  Array.from({ length: count }, (_, i) => cut(i * byteLength, (i + 1) * byteLength));
const filtered = (segment: CutSegment): CutSegment => ({
  ...segment,
  intervals: [{ referenceId: 0, referenceName: 'chr1', start: 5, end: 9 }],
});

test('a URL holds as many short segments as it can carry', () => {
  const counts = groupsOf({ segments: many(1000, 100).map(filtered) });
  expect(counts.length).toBeLessThan(25);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1000);
});

test.each<[string, Parameters<typeof groupsOf>[0], number[]]>([
  ['untouched segments share one of any length, at most eight', { segments: many(10, 20 * MiB) }, [8, 2]],
  ['filtered segments share one of at most 16 MiB', { segments: many(6, 6 * MiB).map(filtered) }, [2, 2, 2]],
  ['segments of text share one of at most 16 MiB', { segments: many(4, 8 * MiB), format: 'VCFTEXT' }, [2, 2]],
  [
    'rewritten segments share one of at most 16 MiB',
    {
      segments: many(4, 8 * MiB),
      rewriting: { selection: { tags: [] }, header: { text: '', referenceIds: new Map() } },
    },
    [2, 2],
  ],
  [
    'a long untouched segment shares none with filtered ones',
    { segments: [filtered(cut(0, MiB)), cut(MiB, 900 * MiB), filtered(cut(900 * MiB, 901 * MiB))] },
    [1, 1, 1],
  ],
  [
    'a short untouched segment shares one with filtered ones',
    { segments: [filtered(cut(0, MiB)), cut(MiB, 9 * MiB), filtered(cut(9 * MiB, 10 * MiB))] },
    [3],
  ],
])('of URLs: %s', (_, plan, expected) => {
  expect(groupsOf(plan)).toEqual(expected);
});

test('a header segment does not share a URL with the body', () => {
  expect(urlsOf({ ...cut(0, 10), class: 'header' }, cut(10, 20))).toEqual(['0-10', '10-20']);
});
