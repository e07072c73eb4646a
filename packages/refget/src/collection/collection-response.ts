import { sha512t24u } from '@htskit/digest';
import { matchesIfNoneMatch } from '@htskit/http';
import { toByteStream } from '@htskit/io';
import type { ArrayAttribute, SequenceCollection } from '@htskit/sequences';
import { ARRAY_ATTRIBUTES, canonicalAttribute, encodeTexts } from '@htskit/sequences/internal';

/** Sequence collections 1.0.0 has no media type of its own. */
const MEDIA_TYPE = 'application/json';

export interface CollectionAnswer {
  readonly request: Request;
  readonly cacheControl: string;
}

/** Answers with a short document. */
export function answerDocument(document: unknown, { request, cacheControl }: CollectionAnswer): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const headers = { etag: `"${sha512t24u(bytes)}"`, 'cache-control': cacheControl, vary: 'Accept' };
  if (matchesIfNoneMatch(request.headers.get('if-none-match'), headers.etag)) {
    return new Response(null, { status: 304, headers });
  }
  return toJsonBytesResponse(bytes, headers);
}

/** Returns the response of a document that is meant for one client only. */
export function toDocumentResponse(document: unknown, headers: Readonly<Record<string, string>>): Response {
  return toJsonBytesResponse(new TextEncoder().encode(JSON.stringify(document)), headers);
}

function toJsonBytesResponse(bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>): Response {
  return new Response(bytes, {
    headers: { ...headers, 'content-type': MEDIA_TYPE, 'content-length': String(bytes.length) },
  });
}

/** Answers with a collection at level 2, as canonical JSON. */
export function answerLevel2(collection: SequenceCollection, answer: CollectionAnswer): Response {
  const { digest, attributes } = collection;
  // Two braces, and for each attribute its name in quotes, a colon and a comma, except for the last comma.
  const byteLength = ARRAY_ATTRIBUTES.reduce((sum, name) => sum + name.length + 4 + attributes[name].byteLength, 1);
  return answerTexts(level2Texts(collection), { ...answer, entityTag: `"${digest}.2"`, byteLength });
}

/** Answers with an attribute at level 2: exactly the bytes that were digested. */
export function answerAttribute(
  { arrays, attributes }: SequenceCollection,
  attribute: ArrayAttribute,
  answer: CollectionAnswer,
): Response {
  const { digest, byteLength } = attributes[attribute];
  return answerTexts(canonicalAttribute(arrays, attribute), { ...answer, entityTag: `"${digest}"`, byteLength });
}

function* level2Texts({ arrays }: SequenceCollection): Generator<string, void> {
  for (const [index, attribute] of ARRAY_ATTRIBUTES.entries()) {
    yield `${index === 0 ? '{' : ','}"${attribute}":`;
    yield* canonicalAttribute(arrays, attribute);
  }
  yield '}';
}

interface TextAnswer extends CollectionAnswer {
  readonly entityTag: string;
  readonly byteLength: number;
}

function answerTexts(texts: Iterable<string>, { request, cacheControl, entityTag, byteLength }: TextAnswer): Response {
  const headers = { etag: entityTag, 'cache-control': cacheControl, vary: 'Accept' };
  if (matchesIfNoneMatch(request.headers.get('if-none-match'), entityTag)) {
    return new Response(null, { status: 304, headers });
  }
  const init = { headers: { ...headers, 'content-type': MEDIA_TYPE, 'content-length': String(byteLength) } };
  return new Response(request.method === 'HEAD' ? null : toByteStream(encodeChunks(texts)), init);
}

/** Asynchronous only in its type: each chunk is encoded when the client is ready for it. */
async function* encodeChunks(texts: Iterable<string>): AsyncGenerator<Uint8Array, void> {
  yield* encodeTexts(texts);
}
