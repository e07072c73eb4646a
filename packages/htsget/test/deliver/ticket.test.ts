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
  const ticket = toTicket({ format: 'BAM', segments }, { blockBytes: 100, blockUrl: describeSegments });
  return ticket.htsget.urls.map(({ url }) => url);
}

test('a ticket is one htsget object whose inline blocks are data URIs without headers', () => {
  const ticket = toTicket(
    { format: 'BAM', segments: [header, cut(0, 9), eof] },
    { blockBytes: 100, blockUrl: describeSegments },
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

test('a URL holds at most eight segments', () => {
  const segments = Array.from({ length: 9 }, (_, i) => cut(i * 2, i * 2 + 1));
  expect(urlsOf(...segments).map((url) => url.split(',').length)).toEqual([8, 1]);
});

test('a header segment does not share a URL with the body', () => {
  expect(urlsOf({ ...cut(0, 10), class: 'header' }, cut(10, 20))).toEqual(['0-10', '10-20']);
});
