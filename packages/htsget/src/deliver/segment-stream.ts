import { compareVirtualOffsets, EOF_MARKER, streamCut } from '@htskit/bgzf';
import { RangeInflater } from '@htskit/bgzf/internal';
import { hasAlleleLengths, keepsAllRecords } from '@htskit/formats/internal';
import { type ByteRange, type ByteSource, readChunks } from '@htskit/io';
import { loopTurns } from '@htskit/io/internal';
import type { HtsgetFormat } from '@htskit/protocol';
import type { BgzfFormat, RecordInterval, RecordRewriting } from '../file/record-format.js';
import type { StoredFormat } from '../file/stored-file.js';
import type {
  Conversion,
  CutSegment,
  InlineSegment,
  Plan,
  RangeSegment,
  ReferenceInterval,
  Rewriting,
  SentSegment,
} from '../plan/plan.js';
import { samplesOf } from '../samples/sample-table.js';
import { toReadGroups, toSubset } from '../samples/select-samples.js';
import { streamTransform, type TransformOptions } from '../transform/stream-transform.js';
import type { TransformDescription } from '../transform/transform.js';
import { checkCut, checkRange } from './segment-start.js';

export interface StreamPlanOptions extends TransformOptions {
  /** Compression level of what is compressed anew, from 0 (not at all) to 9 (most). Default 6. */
  readonly compressionLevel?: number;
  /** The start of the names of records that a CRAM file stores without names. htslib uses its file name. Default `cram`. */
  readonly namePrefix?: string;
}

/**
 * Streams the bytes of a plan, in order: a complete file. `source` is the file that the plan was made for. Cancelling the
 * iteration cancels the read. Throws what the storage and the decoders throw.
 *
 * @example
 * const file = { format: 'BAM', data: source } as const;
 * const plan = await planFile(file, { regions: [{ referenceName: 'chr1', start: 0, end: 1000 }] });
 * for await (const chunk of streamPlan(plan, source)) process.stdout.write(chunk);
 */
export async function* streamPlan(
  { format, segments, rewriting, conversion }: Plan,
  source: ByteSource,
  options: StreamPlanOptions = {},
): AsyncGenerator<Uint8Array, void> {
  yield* streamSegments(segments, source, { ...options, format, rewriting, conversion });
}

/** How the segments of a plan are sent. */
export interface SegmentFormat {
  /** The format of the answer. */
  readonly format: HtsgetFormat;
  readonly rewriting?: Rewriting;
  readonly conversion?: Conversion;
  /** The end marker of CRAM, if a segment stands for it. */
  readonly endMarker?: Uint8Array;
}

export interface SegmentStreamOptions extends StreamPlanOptions, SegmentFormat {
  /** Whether the segments are slices of others, which may begin within a block or container. Default false. */
  readonly isSlice?: boolean;
}

/** Streams the bytes of some segments of a plan, in order. Cancelling the iteration cancels the read. */
export function streamSegments(
  segments: readonly SentSegment[],
  source: ByteSource,
  options: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const [first] = segments;
  // Each generator that only passes chunks on takes about 2 % of the CPU time of a download, and most blocks are one cut.
  const isCut = segments.length === 1 && first?.kind === 'cut';
  return isCut ? streamCheckedCut(first, source, options) : streamInOrder(segments, source, options);
}

async function* streamInOrder(
  segments: readonly SentSegment[],
  source: ByteSource,
  options: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const place = options.workers?.createPlace(options.client);
  const firstTransform = segments.findIndex((segment) => isTransformed(segment, options));
  // What precedes the first transform is sent before that could be refused.
  if (firstTransform > 0) place?.take();
  for (const segment of segments) {
    if (segment.kind === 'inline') yield segment.bytes;
    else if (segment.kind === 'header') yield newHeader(options);
    else if (segment.kind === 'end') yield endMarkerOf(options);
    else if (segment.kind === 'range') yield* streamRange(segment, source, options);
    else yield* streamCheckedCut(segment, source, { ...options, workers: place });
  }
}

/** Whether the records of a segment are filtered, rewritten, converted or inflated, on workers if there are any. */
function isTransformed(segment: SentSegment, format: SegmentFormat): boolean {
  return segment.kind === 'cut' && !keepsBlocks(segment, format) && !isEmpty(segment);
}

function isEmpty({ start, end }: CutSegment): boolean {
  return compareVirtualOffsets(start, end) === 0;
}

function streamCheckedCut(
  cut: CutSegment,
  source: ByteSource,
  options: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  return checkCut(streamCutSegment(cut, source, options), cut, { key: source.key, version: options.version });
}

function newHeader({ conversion, rewriting }: SegmentFormat): Uint8Array {
  const header = conversion?.header ?? rewriting?.answerHeader;
  if (header === undefined) throw new TypeError('the answer has the header of its file');
  return header;
}

function endMarkerOf({ endMarker = EOF_MARKER }: SegmentFormat): Uint8Array {
  return endMarker;
}

function streamRange(
  segment: RangeSegment,
  source: ByteSource,
  { format, isSlice = false, ...options }: SegmentStreamOptions,
): AsyncGenerator<Uint8Array, void> {
  const chunks = readChunks(source.stream({ start: segment.start, end: segment.end }, options));
  // The header of a CRAM file follows its file definition, and a slice may begin anywhere.
  if (isSlice || segment.class === 'header') return chunks;
  const { version } = options;
  return checkRange(chunks, segment, { key: source.key, version, isContainer: format === 'CRAM' });
}

/** Returns how many bytes `streamSegments` will yield, or undefined if that is unknown before the data is read. */
export function segmentsByteLength(segments: readonly SentSegment[], options: SegmentFormat): number | undefined {
  let byteLength = 0;
  for (const segment of segments) {
    if (segment.kind === 'inline') byteLength += segment.bytes.length;
    else if (segment.kind === 'header') byteLength += newHeader(options).length;
    else if (segment.kind === 'end') byteLength += endMarkerOf(options).length;
    else if (segment.kind === 'range') byteLength += segment.end - segment.start;
    else if (isPassedThrough(segment, options)) byteLength += segment.end.coffset - segment.start.coffset;
    else return undefined;
  }
  return byteLength;
}

/** Returns the segments that yield a part of the bytes of others, whose byte length is known. `range` lies within it. */
export function sliceSegments(
  segments: readonly SentSegment[],
  range: ByteRange,
  options: SegmentFormat,
): SentSegment[] {
  const slices: SentSegment[] = [];
  let offset = 0;
  for (const segment of segments) {
    const byteLength = segmentsByteLength([segment], options);
    if (byteLength === undefined) throw new TypeError('a segment of unknown length cannot be sliced');
    const start = Math.max(0, range.start - offset);
    const end = Math.min(byteLength, range.end - offset);
    if (start < end) slices.push(sliceSegment(toInline(segment, options), { start, end }));
    offset += byteLength;
  }
  return slices;
}

function toInline(segment: SentSegment, options: SegmentFormat): InlineSegment | RangeSegment | CutSegment {
  if (segment.kind === 'header') return { ...segment, kind: 'inline', bytes: newHeader(options) };
  return segment.kind === 'end' ? { ...segment, kind: 'inline', bytes: endMarkerOf(options) } : segment;
}

function sliceSegment(segment: InlineSegment | RangeSegment | CutSegment, { start, end }: ByteRange): SentSegment {
  if (segment.kind === 'inline') return { ...segment, bytes: segment.bytes.subarray(start, end) };
  const first = segment.kind === 'range' ? segment.start : segment.start.coffset;
  return { kind: 'range', class: segment.class, start: first + start, end: first + end };
}

/** Whether the records of a cut are sent as they are, compressed or not. */
export function keepsRecords(
  { intervals, class: part }: CutSegment,
  { rewriting, conversion }: Omit<SegmentFormat, 'format'>,
): boolean {
  return intervals === undefined && (part === 'header' || (rewriting ?? conversion) === undefined);
}

/** Whether the records are sent as they are and as BGZF, so that whole blocks pass through untouched. */
export function keepsBlocks(cut: CutSegment, format: SegmentFormat): boolean {
  return format.format !== 'VCFTEXT' && keepsRecords(cut, format);
}

function isPassedThrough(cut: CutSegment, options: SegmentFormat): boolean {
  return keepsBlocks(cut, options) && cut.start.uoffset === 0 && cut.end.uoffset === 0;
}

function streamCutSegment(
  cut: CutSegment,
  source: ByteSource,
  sent: SegmentStreamOptions,
): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  const { format, rewriting, conversion, compressionLevel: level, namePrefix: _namePrefix, ...options } = sent;
  const { start, end } = cut;
  if (keepsBlocks(cut, { format, rewriting, conversion })) {
    const { workers: _workers, client: _client, reference: _reference, ...readOptions } = options;
    const chunks = streamCut(source, { start, end }, { ...readOptions, level });
    return isPassedThrough(cut, sent) ? chunks : inTurns(chunks);
  }
  if (isEmpty(cut)) return [];
  const description = { ...describeTransform(cut, sent), level };
  const isContainers = description.kind === 'cram';
  const byteRange = isContainers
    ? { start: start.coffset, end: end.coffset }
    : new RangeInflater({ start, end }).byteRange;
  return streamTransform(source, { byteRange, description }, options);
}

/** Yields the same chunks, each read when the event loop has time: compressing the edges takes about two milliseconds. */
async function* inTurns(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  try {
    for (;;) {
      await loopTurns.next();
      const { done, value } = await chunks.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await chunks.return();
  }
}

function describeTransform(
  { start, end, intervals, recordsFrom, isUnsorted, lengthKeys, class: part }: CutSegment,
  { format, rewriting, conversion, namePrefix }: SegmentStreamOptions,
): TransformDescription {
  const records = conversion?.records;
  const stored = records?.from ?? storedFormat(format);
  const common = {
    intervals: intervals && recordIntervals(intervals, recordsFrom),
    rewriting: part === 'header' ? undefined : rewriting && describeRewriting(rewriting, stored),
  };
  if (records?.from === 'CRAM') {
    const { header, sliceBytes } = records;
    return { kind: 'cram', ...common, header, sliceBytes, start: start.coffset, namePrefix };
  }
  return {
    kind: 'records',
    ...common,
    format: records?.from ?? storedFormat(format),
    range: { start, end },
    isUnsorted,
    lengthKeys,
    conversion: records,
    isText: format === 'VCFTEXT',
  };
}

function describeRewriting({ selection, header }: Rewriting, format: StoredFormat): RecordRewriting {
  const { samples, requireFlags, excludeFlags, minMappingQuality, ...parts } = selection;
  const { text, strings } = header;
  const common = { selection: parts, strings, alleleLengths: hasAlleleLengths(text) };
  const table = samples && samplesOf(format, header);
  if (format === 'VCF' || format === 'BCF') return { ...common, subset: table && toSubset(samples, table) };
  const criteria = { requireFlags, excludeFlags, minMappingQuality, ...(table && toReadGroups(samples, table)) };
  return keepsAllRecords(criteria) ? common : { ...common, criteria };
}

function recordIntervals(
  [first, ...others]: readonly ReferenceInterval[],
  recordsFrom: number | undefined,
): readonly RecordInterval[] {
  return first === undefined ? [] : [{ ...first, recordsFrom }, ...others];
}

/** CRAM files that are not converted are delivered in ranges, never in cuts. */
function storedFormat(format: HtsgetFormat): BgzfFormat {
  if (format === 'CRAM' || format === 'SAM') throw new TypeError(`a ${format} file has no cuts`);
  return format === 'VCFTEXT' ? 'VCF' : format;
}
