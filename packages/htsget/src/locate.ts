import { MAX_BLOCK_SIZE, readBlock } from '@htskit/bgzf';
import type { ByteRange, ByteSource } from '@htskit/io';
import { splitAtEdges } from './cut-edges.js';
import type { CutSegment, RangeSegment, Segment } from './plan.js';
import { keepsBlocks, type SegmentStreamOptions, streamSegments } from './segment-stream.js';

/** Where clients find a stored object: a URL that needs no credentials but these headers. */
export interface Location {
  /** Absolute, and valid for as long as a client takes: presigned, say. */
  readonly url: string;
  /** Sent with the request. They should make it fail where the object has changed: `If-Match`, say. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface LocateContext {
  readonly signal: AbortSignal;
  /** As `stat` gave it: what the URL leads to must be of this version. */
  readonly version: string | undefined;
}

/** Finds the URL for some bytes of an object, which clients ask for with a `Range` header. */
export type Locate = (range: ByteRange, context: LocateContext) => Promise<Location>;

/** Bytes [start, end) of the stored object, which the store itself sends. */
export interface LocatedSegment extends Omit<RangeSegment, 'kind'> {
  readonly kind: 'located';
  readonly location: Location;
}

export interface LocateOptions extends SegmentStreamOptions {
  readonly signal: AbortSignal;
  readonly source: ByteSource;
  readonly locate: Locate;
  /** Bytes of edges, as they are sent, that are put into one ticket. */
  readonly inlineEdgeBytes: number;
  /** Compressed bytes that are read to find the edges and their records. */
  readonly scanBytes: number;
}

/** Blocks that are read, and URLs that are made, at the same time. */
const CONCURRENCY = 8;

/**
 * The segments as the store can send them: whole blocks and containers by URLs of its own, edges and filtered parts inline.
 * What would be more than `inlineEdgeBytes`, or takes more than `scanBytes` to read, stays as it is.
 */
export async function locateSegments(
  segments: readonly Segment[],
  locateOptions: LocateOptions,
): Promise<(Segment | LocatedSegment)[]> {
  const options = { ...locateOptions, budget: new ScanBudget(locateOptions.scanBytes) };
  const parts = await inTurn(segments, (segment) => splitSegment(segment, options));
  const inlined = await inlineEdges(parts.flat(), options);
  return inTurn<Segment, Segment | LocatedSegment>(inlined, (segment) =>
    segment.kind === 'range' ? locateRange(segment, options) : segment,
  );
}

/** What may still be read for one ticket, however many edges it has. */
class ScanBudget {
  #bytesLeft: number;

  constructor(bytes: number) {
    this.#bytesLeft = bytes;
  }

  /** Whether that much may be read, which then is. A block is the least. */
  take(bytes: number): boolean {
    const taken = Math.max(bytes, MAX_BLOCK_SIZE);
    if (taken > this.#bytesLeft) return false;
    this.#bytesLeft -= taken;
    return true;
  }
}

interface Scan extends LocateOptions {
  readonly budget: ScanBudget;
}

async function splitSegment(segment: Segment, options: Scan): Promise<readonly Segment[]> {
  if (segment.kind !== 'cut' || !keepsBlocks(segment, options)) return [segment];
  const { coffset, uoffset } = segment.start;
  if (uoffset > 0 && !options.budget.take(MAX_BLOCK_SIZE)) return [segment];
  const block = uoffset === 0 ? undefined : await readBlock(options.source, coffset, options);
  return splitAtEdges(segment, coffset + (block?.bytes.length ?? 0));
}

async function inlineEdges(segments: readonly Segment[], options: Scan): Promise<Segment[]> {
  const inlined: Segment[] = [];
  let bytesLeft = options.inlineEdgeBytes;
  for (let at = 0; at < segments.length; at += CONCURRENCY) {
    const group = segments.slice(at, at + CONCURRENCY);
    const edges = await Promise.all(
      group.map(async (segment) => (segment.kind === 'cut' ? readEdge(segment, bytesLeft, options) : undefined)),
    );
    for (const [rank, segment] of group.entries()) {
      const bytes = edges[rank];
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

/** What a cut gives, or undefined where that is more than `maxBytes`, or is too much to read. */
async function readEdge(
  cut: CutSegment,
  maxBytes: number,
  { source, budget, format, rewriting, compressionLevel, signal, version }: Scan,
): Promise<Uint8Array | undefined> {
  if (maxBytes <= 0 || !budget.take(cut.end.coffset - cut.start.coffset)) return undefined;
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of streamSegments([cut], source, { signal, version, format, rewriting, compressionLevel })) {
    byteLength += chunk.length;
    if (byteLength > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return concatenate(chunks, byteLength);
}

function concatenate(chunks: readonly Uint8Array[], byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function locateRange(range: RangeSegment, options: LocateOptions): Promise<LocatedSegment> {
  const { start, end } = range;
  const { signal, version, locate } = options;
  return { ...range, kind: 'located', location: await locate({ start, end }, { signal, version }) };
}

/** What `convert` gives for each, some at a time. */
async function inTurn<From, To>(values: readonly From[], convert: (value: From) => To | Promise<To>): Promise<To[]> {
  const converted: To[] = [];
  for (let at = 0; at < values.length; at += CONCURRENCY) {
    converted.push(...(await Promise.all(values.slice(at, at + CONCURRENCY).map(convert))));
  }
  return converted;
}
