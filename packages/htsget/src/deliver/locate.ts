import { MAX_BLOCK_SIZE, readBlock } from '@htskit/bgzf/internal';
import type { ByteSource } from '@htskit/io';
import { collectChunks } from '@htskit/io/internal';
import type { BlockLocation, Locate } from '../file/stored-file.js';
import type { CutSegment, RangeSegment, Segment } from '../plan/plan.js';
import { keepsBlocks, type SegmentStreamOptions, streamSegments } from './segment-stream.js';

/** Bytes [start, end) of the stored object, sent by the store itself. */
export interface LocatedSegment extends Omit<RangeSegment, 'kind'> {
  readonly kind: 'located';
  readonly location: BlockLocation;
}

export interface LocateSegmentsOptions extends SegmentStreamOptions {
  readonly signal: AbortSignal;
  readonly source: ByteSource;
  readonly locate: Locate;
  /** The maximum number of bytes of edges, as sent, inside one ticket. */
  readonly inlineEdgeBytes: number;
  /** The maximum number of compressed bytes that are read for the edges of one ticket. */
  readonly scanBytes: number;
}

/** How many blocks are read, or URLs created, at the same time. */
const CONCURRENCY = 8;

/**
 * Converts segments to what the store can send: whole blocks and containers by URLs of the store, edges and filtered parts
 * inline. Edges beyond `inlineEdgeBytes`, or beyond `scanBytes` to read, stay as they are.
 */
export async function locateSegments(
  segments: readonly Segment[],
  locateOptions: LocateSegmentsOptions,
): Promise<(Segment | LocatedSegment)[]> {
  const place = locateOptions.workers?.createPlace(locateOptions.client);
  const options = { ...locateOptions, workers: place, budget: new ScanBudget(locateOptions.scanBytes) };
  const parts = await mapInBatches(segments, (segment) => splitSegment(segment, options));
  const inlined = await inlineEdges(parts.flat(), options);
  return mapInBatches<Segment, Segment | LocatedSegment>(inlined, (segment) =>
    segment.kind === 'range' ? locateRange(segment, options) : segment,
  );
}

/** The number of bytes that may still be read for one ticket, however many edges it has. */
class ScanBudget {
  #bytesLeft: number;

  constructor(bytes: number) {
    this.#bytesLeft = bytes;
  }

  /** Takes the bytes, at least a block, and returns true, or returns false if they exceed the budget. */
  take(bytes: number): boolean {
    const taken = Math.max(bytes, MAX_BLOCK_SIZE);
    if (taken > this.#bytesLeft) return false;
    this.#bytesLeft -= taken;
    return true;
  }
}

interface Scan extends LocateSegmentsOptions {
  readonly budget: ScanBudget;
}

async function splitSegment(segment: Segment, options: Scan): Promise<readonly Segment[]> {
  if (segment.kind !== 'cut' || !keepsBlocks(segment, options)) return [segment];
  const { coffset, uoffset } = segment.start;
  if (uoffset > 0 && !options.budget.take(MAX_BLOCK_SIZE)) return [segment];
  const block = uoffset === 0 ? undefined : await readBlock(options.source, coffset, options);
  return splitAtEdges(segment, coffset + (block?.bytes.length ?? 0));
}

/**
 * Splits a cut that keeps all records into whole blocks, which are bytes of the stored object, and the edges before and after
 * them, which lie in one block each and must be re-blocked. `firstBlockEnd` is the end of the block that the cut begins in. A
 * cut that contradicts the blocks stays as it is: reading it reports the error.
 */
export function splitAtEdges(cut: CutSegment, firstBlockEnd: number): readonly (CutSegment | RangeSegment)[] {
  const { start, end } = cut;
  const middleStart = start.uoffset > 0 ? firstBlockEnd : start.coffset;
  if (start.coffset === end.coffset || middleStart > end.coffset) return [cut];
  const parts: (CutSegment | RangeSegment)[] = [];
  if (start.uoffset > 0) parts.push({ ...cut, end: { coffset: middleStart, uoffset: 0 } });
  if (middleStart < end.coffset) {
    parts.push({ kind: 'range', class: cut.class, start: middleStart, end: end.coffset });
  }
  if (end.uoffset > 0) parts.push({ ...cut, start: { coffset: end.coffset, uoffset: 0 } });
  return parts;
}

async function inlineEdges(segments: readonly Segment[], options: Scan): Promise<Segment[]> {
  const inlined: Segment[] = [];
  let bytesLeft = options.inlineEdgeBytes;
  for (let start = 0; start < segments.length; start += CONCURRENCY) {
    const batch = segments.slice(start, start + CONCURRENCY);
    const edges = await Promise.all(
      batch.map(async (segment) => (segment.kind === 'cut' ? readEdge(segment, bytesLeft, options) : undefined)),
    );
    for (const [index, segment] of batch.entries()) {
      const bytes = edges[index];
      if (bytes === undefined || bytes.length > bytesLeft) {
        inlined.push(segment);
        continue;
      }
      bytesLeft -= bytes.length;
      if (bytes.length > 0) inlined.push({ kind: 'inline', class: segment.class, bytes });
    }
  }
  return inlined;
}

/** Returns the bytes of a cut, or undefined if they exceed `maxBytes` or the budget. */
async function readEdge(
  cut: CutSegment,
  maxBytes: number,
  { source, budget, format, rewriting, conversion, compressionLevel, signal, version, workers, client }: Scan,
): Promise<Uint8Array | undefined> {
  if (maxBytes <= 0 || !budget.take(cut.end.coffset - cut.start.coffset)) return undefined;
  const options = { signal, version, format, rewriting, conversion, compressionLevel, workers, client };
  return collectChunks(streamSegments([cut], source, options), maxBytes);
}

async function locateRange(range: RangeSegment, options: LocateSegmentsOptions): Promise<LocatedSegment> {
  const { start, end } = range;
  const { signal, version, locate } = options;
  return { ...range, kind: 'located', location: await locate({ start, end }, { signal, version }) };
}

/** Converts values in order, at most `CONCURRENCY` at the same time. */
async function mapInBatches<From, To>(
  values: readonly From[],
  convert: (value: From) => To | Promise<To>,
): Promise<To[]> {
  const converted: To[] = [];
  for (let start = 0; start < values.length; start += CONCURRENCY) {
    converted.push(...(await Promise.all(values.slice(start, start + CONCURRENCY).map(convert))));
  }
  return converted;
}
