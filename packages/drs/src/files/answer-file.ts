import { ifRangeMatches, matchesIfNoneMatch, type PlainResponse, parseRangeHeader, toContentRange } from '@htskit/http';
import { matchesIfMatch, queryParameters } from '@htskit/http/internal';
import { type ByteRange, readChunks, type SourceStat, StorageError } from '@htskit/io';
import { startByteStream } from '@htskit/io/internal';
import { versionOf } from '../checksums/checksums.js';
import { authorize, type DrsContext, findObject, refusalOf } from '../context.js';
import { DEFAULT_MEDIA_TYPE, toPublicVersion } from '../describe/describe-object.js';
import { DrsError } from '../drs-error.js';
import type { DrsFile } from '../drs-object.js';
import type { DrsGrant } from '../permission.js';

/** Ranges of up to this many bytes are read at once: a stream costs more than to read them. */
const SHORT_BYTES = 65_536;

/** How the bytes of a file ended. */
export interface SentBytes {
  readonly bytes: number;
  readonly outcome: 'completed' | 'aborted' | 'failed';
}

export interface FileContext extends DrsContext {
  /** Called with what the request may see of the file. */
  readonly setGrant: (grant: DrsGrant) => void;
  /** Called when the last byte was sent, or the bytes were broken off. */
  readonly onSent: (sent: SentBytes) => void;
}

/**
 * Answers GET and HEAD of the bytes of an object, or of a range of them. Throws `DrsError`, and what the hooks and the storage throw.
 */
export async function answerFile(id: string, context: FileContext): Promise<PlainResponse> {
  const { request, settings, signer } = context;
  const token = queryParameters(request).get('token');
  const claim = token === null ? undefined : await signer.verify(token, id, settings.now());
  const grant = claim === undefined ? await authorize(id, [], context) : { isWhole: true, subject: claim.subject };
  context.setGrant(grant);
  const object = await findObject(id, context);
  if (object.kind === 'bundle') throw new DrsError('NOT_FOUND', 'the object is a bundle, which has no bytes');
  const refusal = refusalOf({ object, grant });
  if (refusal !== undefined) throw refusal;
  const { signal } = request;
  const stat = await object.data.stat({ signal });
  if (claim !== undefined && claim.version !== versionOf(stat)) {
    throw new DrsError('CONFLICT', 'the file has changed since the URL was issued; request a new one');
  }
  if (object.url !== undefined) return redirect(object.url);
  if (object.locate === undefined) return sendFile(object, stat, context);
  if (request.method === 'HEAD') return { status: 200, headers: describeBytes(object, stat, context), body: null };
  // Without a version, since a client that follows a redirect cannot send the header that a URL of one version needs.
  const { url } = await object.locate({ start: 0, end: stat.size }, { signal, version: undefined });
  return redirect(url);
}

function redirect(url: string): PlainResponse {
  return { status: 307, headers: { location: url, 'content-length': '0', 'cache-control': 'no-store' }, body: null };
}

/** Returns the headers of all bytes of a file. The tag of a file that its store sends is that of the store. */
function describeBytes(file: DrsFile, stat: SourceStat, { settings }: DrsContext): Readonly<Record<string, string>> {
  const version = file.locate === undefined ? toPublicVersion(file, stat) : undefined;
  const isGuarded = settings.authorize !== undefined || file.forwarded !== undefined;
  return {
    'content-type': file.mediaType ?? DEFAULT_MEDIA_TYPE,
    'content-length': String(stat.size),
    'accept-ranges': 'bytes',
    'cache-control': `${isGuarded ? 'private' : 'public'}, no-cache, no-transform`,
    ...(isGuarded && { vary: 'Authorization' }),
    ...(version !== undefined && { etag: `"${version}"` }),
    ...(stat.modifiedAt !== undefined && { 'last-modified': new Date(stat.modifiedAt).toUTCString() }),
  };
}

async function sendFile(file: DrsFile, stat: SourceStat, context: FileContext): Promise<PlainResponse> {
  const { headers, method } = context.request;
  const { size } = stat;
  const described = describeBytes(file, stat, context);
  const { etag, 'content-length': _, ...unsized } = described;
  if (etag !== undefined && !matchesIfMatch(headers.get('if-match'), etag)) {
    throw new DrsError('PRECONDITION_FAILED', 'the file has another entity tag');
  }
  if (etag !== undefined && matchesIfNoneMatch(headers.get('if-none-match'), etag)) {
    return { status: 304, headers: { ...unsized, etag }, body: null };
  }
  const requested = ifRangeMatches(headers.get('if-range'), etag)
    ? parseRangeHeader(headers.get('range'), size)
    : undefined;
  if (requested?.kind === 'unsatisfiable') {
    const contentRange = { 'content-range': toContentRange(undefined, size) };
    throw new DrsError('RANGE_NOT_SATISFIABLE', `the file has ${size} bytes`, { headers: contentRange });
  }
  // A malformed Range, and one of several ranges, is ignored (RFC 9110 §14.2).
  const range = requested?.kind === 'range' ? requested.range : undefined;
  const { start, end } = range ?? { start: 0, end: size };
  const sized = {
    ...described,
    'content-length': String(end - start),
    ...(range !== undefined && { 'content-range': toContentRange(range, size) }),
  };
  const status = range === undefined ? 200 : 206;
  if (method === 'HEAD') return { status, headers: sized, body: null };
  return { status, headers: sized, body: await readBytes(file, { start, end }, { ...context, stat }) };
}

async function readBytes(
  { id, data }: DrsFile,
  range: ByteRange,
  { settings, request, onSent, stat: { version } }: FileContext & { readonly stat: SourceStat },
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const { signal } = request;
  const length = range.end - range.start;
  if (length <= SHORT_BYTES) {
    const bytes = await data.read(range, { version, signal });
    if (bytes.length < length) {
      throw new StorageError('SHORT_READ', `expected ${length} bytes, found ${bytes.length}`, { key: data.key });
    }
    onSent({ bytes: length, outcome: 'completed' });
    return bytes;
  }
  const stream = data.stream(range, { version, signal });
  return startByteStream(countBytes(readChunks(stream), onSent), (error) => {
    if (!signal.aborted) settings.onError(error, id, request);
  });
}

/** Passes chunks on, and reports their bytes when the last was taken or the consumer stopped. */
async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  onSent: FileContext['onSent'],
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  let outcome: SentBytes['outcome'] = 'aborted';
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
    outcome = 'completed';
  } catch (error) {
    outcome = 'failed';
    throw error;
  } finally {
    onSent({ bytes, outcome });
  }
}
