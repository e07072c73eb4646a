import { ifRangeMatches, matchesIfNoneMatch, type PlainResponse, parseRangeHeader, toContentRange } from '@htskit/http';
import { matchesIfMatch } from '@htskit/http/internal';
import { type ByteRange, concatBytes, encodeText, LruCache, readChunks } from '@htskit/io';
import { firstIndex, loopTurns, sliceChunks, startByteStream } from '@htskit/io/internal';
import { type Authority, RefgetError } from '@htskit/protocol';
import type { Sequence, SequenceCollection } from '@htskit/sequences';
import { cacheControl, toErrorResponse } from '../json-response.js';
import type { RefgetObject, RefgetSettings } from '../options.js';
import { METHODS } from '../route.js';
import { SequenceFramer } from '../slice/sequence-body.js';
import { createSequenceFinder } from './find-sequence.js';

/** The FASTA file of a collection, or its index (`samtools faidx`). */
export type CollectionFile = 'fasta' | 'fai';

export interface CollectionFileContext {
  readonly request: Request;
  readonly authority: Authority;
  /** The object that the request names. */
  readonly object: RefgetObject | undefined;
  readonly settings: RefgetSettings;
}

const LINE_BASES = 60;
const LINE_BYTES = LINE_BASES + 1;
/** Records that are placed or written between two checks whether the event loop has waited for long. */
const RECORDS_PER_STEP = 256;
/** The maximum number of bytes of a body that is sent at once, and the minimum number of a chunk of a stream. */
const CHUNK_BYTES = 65_536;

const CONTENT_TYPES: Readonly<Record<CollectionFile, string>> = {
  fasta: 'text/x-fasta; charset=utf-8',
  fai: 'text/plain; charset=utf-8',
};
const LINES = { contentType: CONTENT_TYPES.fasta, prefix: '', suffix: '', lineBases: LINE_BASES };

/** The places of the records of a collection in its FASTA file. */
interface FastaLayout {
  /** Offsets of the records in bytes, and the length of the file. */
  readonly starts: Float64Array;
  /** Length of the index in bytes. */
  readonly indexLength: number;
}

/**
 * Answers with a collection as a FASTA file of 60 bases per line, or with its index: with `Range`, so that clients read
 * regions of a genome. Offsets are computed and nothing is stored. The sequences that are read must be permitted as well.
 */
export async function answerCollectionFile(
  file: CollectionFile,
  collection: SequenceCollection,
  context: CollectionFileContext,
): Promise<PlainResponse> {
  const { request, authority, settings } = context;
  const layout = await layoutOf(collection);
  const length = file === 'fasta' ? endOf(layout) : layout.indexLength;
  const etag = `"${collection.digest}.${file}"`;
  if (!matchesIfMatch(request.headers.get('if-match'), etag)) {
    throw new RefgetError('Precondition Failed', 'the file has another entity tag');
  }
  const shared = { etag, 'cache-control': cacheControl({ isImmutable: true, isPublic: settings.isPublic }) };
  if (matchesIfNoneMatch(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: shared });
  }
  const rangeHeader = ifRangeMatches(request.headers.get('if-range'), etag) ? request.headers.get('range') : null;
  const requested = parseRangeHeader(rangeHeader, length);
  if (requested.kind === 'unsatisfiable') {
    const error = new RefgetError('Range Not Satisfiable', `the Range selects no bytes of a file of ${length} bytes`);
    const headers = { 'content-range': toContentRange(undefined, length) };
    return toErrorResponse(error, { authority, methods: METHODS, headers });
  }
  // Any other Range is ignored (RFC 9110 §14.2).
  const isPart = requested.kind === 'range';
  const range = isPart ? requested.range : { start: 0, end: length };
  if (file === 'fasta' && !settings.isPublic) await authorizeSequences(collection, { layout, range, context });
  const headers = new Headers({
    ...shared,
    'content-type': CONTENT_TYPES[file],
    'content-length': String(range.end - range.start),
    'accept-ranges': 'bytes',
    ...(isPart && { 'content-range': toContentRange(range, length) }),
  });
  const status = isPart ? 206 : 200;
  if (request.method === 'HEAD') return { status, headers, body: null };
  const chunks =
    file === 'fasta'
      ? fastaChunks(collection, { layout, range, context })
      : sliceChunks(indexChunks(collection, layout), range);
  return { status, headers, body: await toBody(joinChunks(chunks), { range, context }) };
}

interface FileRange {
  readonly layout: FastaLayout;
  /** Bytes of the file. */
  readonly range: ByteRange;
  readonly context: CollectionFileContext;
}

/** Layouts by the digests of what they follow from: 64 MiB is enough for 8 million sequences. */
const layouts = new LruCache<FastaLayout>({ maxWeight: 2 ** 26 });

function layoutOf(collection: SequenceCollection): Promise<FastaLayout> {
  // The digest of a collection does not cover the lengths. A damaged store of one handler must not affect another handler.
  const key = `${collection.digest} ${collection.attributes.lengths.digest}`;
  return layouts.load(key, async () => {
    const value = await placeRecords(collection);
    return { value, weight: value.starts.byteLength };
  });
}

/** Throws RefgetError Not Implemented for a name that a FASTA file cannot hold. */
async function placeRecords({ arrays: { names, lengths } }: SequenceCollection): Promise<FastaLayout> {
  const starts = new Float64Array(names.length + 1);
  let start = 0;
  let indexLength = 0;
  for (let index = 0; index < names.length; index++) {
    const name = names.at(index) ?? '';
    const length = lengths.at(index) ?? 0;
    if (!/^\S+$/.test(name)) {
      throw new RefgetError('Not Implemented', `the name of sequence ${index + 1} cannot be written as FASTA`);
    }
    starts[index] = start;
    indexLength += encodeText(indexLine(name, { length, start })).length;
    start += headerOf(name).length + length + Math.ceil(length / LINE_BASES);
    if (index % RECORDS_PER_STEP === 0) await loopTurns.next();
  }
  starts[names.length] = start;
  return { starts, indexLength };
}

function headerOf(name: string): Uint8Array {
  return encodeText(`>${name}\n`);
}

/** Returns the line that `samtools faidx` writes for a record at `start`. */
function indexLine(name: string, { length, start }: { readonly length: number; readonly start: number }): string {
  const lineBases = Math.min(length, LINE_BASES);
  const basesStart = start + headerOf(name).length;
  return `${name}\t${length}\t${basesStart}\t${lineBases}\t${length === 0 ? 0 : lineBases + 1}\n`;
}

function endOf({ starts }: FastaLayout): number {
  return starts.at(-1) ?? 0;
}

/** Yields the indexes of the records that a range of the FASTA file overlaps. */
function* recordsOf({ starts }: FastaLayout, { start, end }: ByteRange): Generator<number, void> {
  // The first start is 0.
  const next = firstIndex(starts.length - 1, (index) => (starts[index] ?? 0) > start, 1);
  for (let index = next - 1; index < starts.length - 1 && (starts[index] ?? end) < end; index++) yield index;
}

async function authorizeSequences(
  { arrays }: SequenceCollection,
  { layout, range, context: { request, settings } }: FileRange,
): Promise<void> {
  for (const index of recordsOf(layout, range)) {
    await settings.authorize(request, { resource: 'sequence', id: arrays.sequences.at(index) ?? '' });
    if (index % RECORDS_PER_STEP === 0) await loopTurns.next(request.signal);
  }
}

async function* fastaChunks(
  { arrays: { names, lengths, sequences } }: SequenceCollection,
  { layout, range, context: { request, settings } }: FileRange,
): AsyncGenerator<Uint8Array, void> {
  const findSequence = createSequenceFinder(settings);
  for (const index of recordsOf(layout, range)) {
    const recordStart = layout.starts[index] ?? 0;
    const header = headerOf(names.at(index) ?? '');
    const from = range.start - recordStart;
    const to = range.end - recordStart;
    if (from < header.length) yield header.subarray(Math.max(0, from), Math.min(to, header.length));
    const length = lengths.at(index) ?? 0;
    const lines = clipRangeOf(length, { start: from - header.length, end: to - header.length });
    if (lines.start >= lines.end) continue;
    const digest = sequences.at(index) ?? '';
    const sequence = await findSequence(digest);
    yield* lineChunks(sequence, { length, range: lines, request });
  }
}

/** Clips a range of bytes to the lines of a sequence. */
function clipRangeOf(length: number, { start, end }: ByteRange): ByteRange {
  return { start: Math.max(0, start), end: Math.min(end, length + Math.ceil(length / LINE_BASES)) };
}

interface LineRange {
  /** Bases of the sequence. */
  readonly length: number;
  /** Bytes from the first line on. */
  readonly range: ByteRange;
  /** Its signal ends a long read. */
  readonly request: Pick<Request, 'signal'>;
}

/** Yields bytes of the lines of a sequence. Reads whole lines. */
async function* lineChunks(
  sequence: Sequence,
  { length, range, request }: LineRange,
): AsyncGenerator<Uint8Array, void> {
  const firstLine = Math.floor(range.start / LINE_BYTES);
  const start = firstLine * LINE_BASES;
  const end = Math.min(length, Math.ceil(range.end / LINE_BYTES) * LINE_BASES);
  yield* sliceChunks(wrapBases(sequence, { start, end }, request), range, firstLine * LINE_BYTES);
}

async function* wrapBases(
  sequence: Sequence,
  bases: { readonly start: number; readonly end: number },
  request: Pick<Request, 'signal'>,
): AsyncGenerator<Uint8Array, void> {
  const framer = new SequenceFramer(LINES);
  if (bases.end - bases.start <= CHUNK_BYTES) yield framer.push(await sequence.read(bases));
  else {
    const stream = sequence.stream(bases, { signal: request.signal });
    for await (const chunk of readChunks(stream)) yield framer.push(chunk);
  }
  yield framer.finish();
}

async function* indexChunks(
  { arrays: { names, lengths } }: SequenceCollection,
  { starts }: FastaLayout,
): AsyncGenerator<Uint8Array, void> {
  for (let first = 0; first < names.length; first += RECORDS_PER_STEP) {
    await loopTurns.next();
    const lines: string[] = [];
    for (let index = first; index < Math.min(first + RECORDS_PER_STEP, names.length); index++) {
      lines.push(indexLine(names.at(index) ?? '', { length: lengths.at(index) ?? 0, start: starts[index] ?? 0 }));
    }
    yield encodeText(lines.join(''));
  }
}

/** Joins short chunks: a file of many short sequences has millions of them. */
async function* joinChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length < CHUNK_BYTES) continue;
    yield concatBytes(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield concatBytes(parts);
}

async function toBody(
  chunks: AsyncGenerator<Uint8Array, void>,
  { range, context }: Pick<FileRange, 'range' | 'context'>,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const { request, object, settings } = context;
  if (range.end - range.start <= CHUNK_BYTES) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return concatBytes(parts);
  }
  return startByteStream(chunks, (error) => {
    if (!request.signal.aborted) settings.onError(error, object, request);
  });
}
