import { readBlock } from '@htskit/bgzf/internal';
import { type ByteSource, concatBytes, type ReadOptions } from '@htskit/io';
import type { CutSegment, InlineSegment, SentSegment } from '../plan/plan.js';
import { checkCut } from './segment-start.js';
import { keepsBlocks, type SegmentFormat, type SegmentStreamOptions, streamSegments } from './segment-stream.js';

/** The maximum number of segments of a block whose edges are read to determine its length. Reading two edges takes about 5 ms. */
export const MAX_EDGED_SEGMENTS = 8;

/** Whether the length of some segments is known once the edges of their cuts are read: their records are sent as they are. */
export function hasKnownLength(segments: readonly SentSegment[], format: SegmentFormat): boolean {
  return (
    segments.length <= MAX_EDGED_SEGMENTS &&
    segments.every((segment) => segment.kind !== 'cut' || keepsBlocks(segment, format))
  );
}

/**
 * Returns segments that yield the same bytes and have a known length: the edges of cuts, which are compressed anew, are read
 * and inline. Cuts that contradict the blocks stay as they are: reading them reports the error.
 */
export async function readEdges(
  segments: readonly SentSegment[],
  source: ByteSource,
  options: SegmentStreamOptions,
): Promise<readonly SentSegment[]> {
  const parts = await Promise.all(
    segments.map((segment) =>
      segment.kind === 'cut' ? readCutEdges(segment, source, options) : Promise.resolve([segment]),
    ),
  );
  return parts.flat();
}

async function readCutEdges(
  cut: CutSegment,
  source: ByteSource,
  options: SegmentStreamOptions,
): Promise<readonly SentSegment[]> {
  const { start, end } = cut;
  if (start.uoffset === 0 && end.uoffset === 0) return [cut];
  const readEdge = async (edge: Pick<CutSegment, 'start' | 'end'>): Promise<InlineSegment> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of streamSegments([{ ...cut, ...edge }], source, options)) chunks.push(chunk);
    return { kind: 'inline', class: cut.class, bytes: concatBytes(chunks) };
  };
  if (start.coffset === end.coffset) return [await readEdge({ start, end })];
  const readStart = async (): Promise<{ middleStart: number; edges: readonly SentSegment[] }> => {
    if (start.uoffset === 0) return { middleStart: start.coffset, edges: [] };
    const { version } = options;
    const block = checkCut(readBlockAt(start.coffset, source, options), cut, { key: source.key, version });
    let middleStart = start.coffset;
    for await (const { length } of block) middleStart += length;
    return { middleStart, edges: [await readEdge({ start, end: { coffset: middleStart, uoffset: 0 } })] };
  };
  const [{ middleStart, edges }, lastEdge] = await Promise.all([
    readStart(),
    end.uoffset === 0 ? [] : readEdge({ start: { coffset: end.coffset, uoffset: 0 }, end }),
  ]);
  if (middleStart > end.coffset) return [cut];
  const middle = { ...cut, start: { coffset: middleStart, uoffset: 0 }, end: { coffset: end.coffset, uoffset: 0 } };
  return [...edges, ...(middleStart < end.coffset ? [middle] : []), ...[lastEdge].flat()];
}

async function* readBlockAt(
  coffset: number,
  source: ByteSource,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  const block = await readBlock(source, coffset, options);
  if (block !== undefined) yield block.bytes;
}
