import { sha512t24u } from '@htskit/digest';
import { matchesIfNoneMatch, type PlainResponse } from '@htskit/http';
import { toByteStream } from '@htskit/io';
import { startByteStream } from '@htskit/io/internal';
import type { SequenceCollection } from '@htskit/sequences';
import { ARRAY_ATTRIBUTES, type ArrayAttribute, canonicalAttribute, encodeTexts } from '@htskit/sequences/internal';
import { type ContentCoding, canEncode, chooseCoding, codedTag, encodeBody } from './content-coding.js';

/** Sequence collections 1.0.0 has no media type of its own. */
const MEDIA_TYPE = 'application/json';

export interface CollectionAnswer {
  readonly request: Request;
  readonly cacheControl: string;
  /** Receives the failure that breaks off a body. */
  readonly onError: (error: unknown) => void;
}

const VARY = 'Accept, Accept-Encoding';

/** Answers with a short document. */
export function answerDocument(document: unknown, answer: CollectionAnswer): Promise<PlainResponse> {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return answerBytes({ ...answer, entityTag: `"${sha512t24u(bytes)}"`, byteLength: bytes.length, content: bytes });
}

/** Answers with a short document that is meant for one client only. */
export function answerUncached(
  document: unknown,
  answer: Omit<CollectionAnswer, 'cacheControl'>,
): Promise<PlainResponse> {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return answerBytes({ ...answer, cacheControl: 'no-store', byteLength: bytes.length, content: bytes });
}

/** Answers with a collection at level 2, as canonical JSON. */
export function answerLevel2(collection: SequenceCollection, answer: CollectionAnswer): Promise<PlainResponse> {
  const { digest, attributes } = collection;
  // Two braces, and for each attribute its name in quotes, a colon and a comma, except for the last comma.
  const byteLength = ARRAY_ATTRIBUTES.reduce((sum, name) => sum + name.length + 4 + attributes[name].byteLength, 1);
  return answerBytes({ ...answer, entityTag: `"${digest}.2"`, byteLength, content: level2Texts(collection) });
}

/** Answers with an attribute at level 2: exactly the bytes that were digested. */
export function answerAttribute(
  { arrays, attributes }: SequenceCollection,
  attribute: ArrayAttribute,
  answer: CollectionAnswer,
): Promise<PlainResponse> {
  const { digest, byteLength } = attributes[attribute];
  const content = canonicalAttribute(arrays, attribute);
  return answerBytes({ ...answer, entityTag: `"${digest}"`, byteLength, content });
}

function* level2Texts({ arrays }: SequenceCollection): Generator<string, void> {
  for (const [index, attribute] of ARRAY_ATTRIBUTES.entries()) {
    yield `${index === 0 ? '{' : ','}"${attribute}":`;
    yield* canonicalAttribute(arrays, attribute);
  }
  yield '}';
}

interface BytesAnswer extends CollectionAnswer {
  /** The tag of the body without a content coding; undefined for a response that is not cached. */
  readonly entityTag?: string;
  readonly byteLength: number;
  readonly content: Uint8Array | Iterable<string>;
}

/** Answers in the content coding that the client prefers. The length of an encoded body is not known. */
async function answerBytes(answer: BytesAnswer): Promise<PlainResponse> {
  const { request, cacheControl, entityTag, byteLength, content } = answer;
  const preferred = chooseCoding(request, byteLength);
  const headersFor = (coding: ContentCoding | undefined): Headers => {
    const headers = new Headers({ 'cache-control': cacheControl, vary: VARY });
    if (entityTag !== undefined) headers.set('etag', codedTag(entityTag, coding));
    return headers;
  };
  if (entityTag !== undefined) {
    const etag = codedTag(entityTag, preferred);
    if (matchesIfNoneMatch(request.headers.get('if-none-match'), etag)) {
      return { status: 304, headers: headersFor(preferred), body: null };
    }
  }
  const coding = request.method === 'HEAD' || canEncode() ? preferred : undefined;
  const headers = headersFor(coding);
  headers.set('content-type', MEDIA_TYPE);
  if (coding === undefined) headers.set('content-length', String(byteLength));
  else headers.set('content-encoding', coding);
  if (request.method === 'HEAD') return { status: 200, headers, body: null };
  if (coding !== undefined) {
    const body = await startByteStream(encodeBody(toChunks(content), coding), answer.onError);
    return { status: 200, headers, body };
  }
  return { status: 200, headers, body: content instanceof Uint8Array ? content : toByteStream(toChunks(content)) };
}

/** Asynchronous only in its type: each chunk is encoded when the client is ready for it. */
async function* toChunks(content: Uint8Array | Iterable<string>): AsyncGenerator<Uint8Array, void> {
  if (content instanceof Uint8Array) yield content;
  else yield* encodeTexts(content);
}
