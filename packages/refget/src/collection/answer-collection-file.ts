import { ifRangeMatches, matchesIfNoneMatch, type PlainResponse, parseRangeHeader, toContentRange } from '@htskit/http';
import { matchesIfMatch } from '@htskit/http/internal';
import { type ByteRange, concatBytes } from '@htskit/io';
import { startByteStream } from '@htskit/io/internal';
import { type Authority, RefgetError } from '@htskit/protocol';
import type { SequenceCollection } from '@htskit/sequences';
import { cacheControl, toErrorResponse } from '../json-response.js';
import type { RefgetObject, RefgetSettings } from '../options.js';
import { METHODS } from '../route.js';
import { CollectionBytes, type CollectionFile } from './collection-fasta.js';

interface CollectionFileContext {
  readonly request: Request;
  readonly authority: Authority;
  /** The object that the request names. */
  readonly object: RefgetObject | undefined;
  readonly settings: RefgetSettings;
}

/** The maximum number of bytes of a body that is sent at once. */
const BODY_BYTES = 65_536;

const CONTENT_TYPES: Readonly<Record<CollectionFile, string>> = {
  fasta: 'text/x-fasta; charset=utf-8',
  fai: 'text/plain; charset=utf-8',
};

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
  const bytes = await CollectionBytes.open(file, collection);
  const { length } = bytes;
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
  if (!settings.isPublic) await authorizeSequences(bytes, range, context);
  const headers = new Headers({
    ...shared,
    'content-type': CONTENT_TYPES[file],
    'content-length': String(range.end - range.start),
    'accept-ranges': 'bytes',
    ...(isPart && { 'content-range': toContentRange(range, length) }),
  });
  const status = isPart ? 206 : 200;
  if (request.method === 'HEAD') return { status, headers, body: null };
  const { catalogue } = settings;
  const chunks = bytes.read(range, { catalogue, signal: request.signal });
  return { status, headers, body: await toBody(chunks, range, context) };
}

async function authorizeSequences(
  file: CollectionBytes,
  range: ByteRange,
  { request, settings }: CollectionFileContext,
): Promise<void> {
  for await (const id of file.sequencesIn(range, request.signal)) {
    await settings.authorize(request, { resource: 'sequence', id });
  }
}

async function toBody(
  chunks: AsyncGenerator<Uint8Array, void>,
  range: ByteRange,
  { request, object, settings }: CollectionFileContext,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  if (range.end - range.start <= BODY_BYTES) {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return concatBytes(parts);
  }
  return startByteStream(chunks, (error) => {
    if (!request.signal.aborted) settings.onError(error, object, request);
  });
}
