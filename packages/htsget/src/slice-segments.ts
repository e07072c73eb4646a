import type { ByteRange } from '@htskit/io';
import type { Segment } from './plan.js';
import { type SegmentFormat, segmentsByteLength } from './segment-stream.js';

/** The segments that give a part of the bytes of others, whose byte length is known; `range` lies within it. */
export function sliceSegments(segments: readonly Segment[], range: ByteRange, options: SegmentFormat): Segment[] {
  const slices: Segment[] = [];
  let offset = 0;
  for (const segment of segments) {
    const byteLength = segmentsByteLength([segment], options);
    if (byteLength === undefined) throw new TypeError('a segment of unknown length has no parts');
    const start = Math.max(0, range.start - offset);
    const end = Math.min(byteLength, range.end - offset);
    if (start < end) slices.push(sliceSegment(segment, { start, end }));
    offset += byteLength;
  }
  return slices;
}

function sliceSegment(segment: Segment, { start, end }: ByteRange): Segment {
  if (segment.kind === 'inline') return { ...segment, bytes: segment.bytes.subarray(start, end) };
  const first = segment.kind === 'range' ? segment.start : segment.start.coffset;
  return { kind: 'range', class: segment.class, start: first + start, end: first + end };
}
