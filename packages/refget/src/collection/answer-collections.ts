import { RequestBodyError, readJsonBody } from '@htskit/http';
import { type Authority, negotiateRefgetFormat, RefgetError, seqcolServiceInfo } from '@htskit/protocol';
import { cacheControl } from '../cache-control.js';
import { toErrorResponse } from '../json-response.js';
import type { RefgetSettings } from '../options.js';
import { ARRAY_ATTRIBUTES } from './collection-attributes.js';
import type { CollectionCatalogue } from './collection-catalogue.js';
import {
  answerAttribute,
  answerDocument,
  answerLevel2,
  type CollectionAnswer,
  toDocumentResponse,
} from './collection-response.js';
import { type CollectionRoute, collectionMethods } from './collection-route.js';
import { collectionSchema } from './collection-schema.js';
import {
  type CollectionComparison,
  type ComparedCollection,
  compareCollections,
  toComparedCollection,
} from './compare-collections.js';
import { parseListQuery } from './list-query.js';
import { parseLocalCollection } from './local-collection.js';
import type { SequenceCollection } from './sequence-collection.js';

interface CollectionContext {
  readonly request: Request;
  readonly url: URL;
  readonly authority: Authority;
  readonly collections: CollectionCatalogue;
  readonly settings: RefgetSettings;
}

/** Answers for a sequence collection (sequence collections 1.0.0, §3). The order of errors is 405, 401, 404, 406, 400. */
export async function answerCollections(route: CollectionRoute, context: CollectionContext): Promise<Response> {
  const { request, settings, authority } = context;
  const methods = collectionMethods(route);
  if (!methods.includes(request.method)) {
    const error = new RefgetError('Method Not Allowed', `${request.method} is not answered here`);
    return toErrorResponse(error, { authority, headers: { allow: methods.join(', ') } });
  }
  if (route.kind !== 'service-info') await settings.authorize?.(request);
  switch (route.kind) {
    case 'service-info':
      requireJson(request);
      return answerDocument(describeService(context), revalidated(context));
    case 'list':
      requireJson(request);
      return answerDocument(await listCollections(context), revalidated(context));
    case 'collection':
      return answerCollection(await findCollection(route.digest, context), context);
    case 'attribute':
      return findAndAnswerAttribute(route, context);
    case 'comparison':
      return answerComparison(route, context);
    case 'local-comparison':
      return answerLocalComparison(route, context);
  }
}

function describeService({ settings, authority }: CollectionContext): object {
  const { serviceInfo } = settings;
  return seqcolServiceInfo({
    ...serviceInfo,
    // Unlike the rest, it must differ from that of the sequences.
    ...(serviceInfo?.id !== undefined && { id: `${serviceInfo.id}.seqcol` }),
    authority,
    schema: collectionSchema(authority),
  });
}

async function listCollections({ collections, url }: CollectionContext): Promise<object> {
  const { filters, page, pageSize } = parseListQuery(url.searchParams);
  const { digests, total } = await collections.list({ filters, start: page * pageSize, limit: pageSize });
  return { results: digests, pagination: { page, page_size: pageSize, total } };
}

function answerCollection(collection: SequenceCollection, context: CollectionContext): Response {
  const { digest, attributes } = collection;
  requireJson(context.request);
  switch (parseLevel(context.url.searchParams)) {
    case 0:
      return answerDocument(digest, immutable(context));
    case 1: {
      const digests = Object.entries(attributes).map(([name, attribute]) => [name, attribute.digest]);
      return answerDocument(Object.fromEntries(digests), immutable(context));
    }
    case 2:
      return answerLevel2(collection, immutable(context));
  }
}

/** Sequence collections 1.0.0, §3.2. Of level 0, which it only defines, the answer is the digest as a JSON string. */
function parseLevel(params: URLSearchParams): 0 | 1 | 2 {
  const levels = params.getAll('level');
  const level = levels.length === 0 ? 2 : ([0, 1, 2] as const).find((known) => levels.join() === String(known));
  if (level === undefined) throw new RefgetError('Bad Request', 'level must be 0, 1 or 2');
  return level;
}

async function findAndAnswerAttribute(
  { attribute: name, digest }: Extract<CollectionRoute, { kind: 'attribute' }>,
  context: CollectionContext,
): Promise<Response> {
  const attribute = ARRAY_ATTRIBUTES.find((known) => known === name);
  const collection = attribute && (await context.collections.findAttribute(attribute, digest));
  if (attribute === undefined || collection === undefined) {
    throw new RefgetError('Not Found', 'there is no such attribute with that digest');
  }
  requireJson(context.request);
  return answerAttribute(collection, attribute, immutable(context));
}

async function answerComparison(
  { a, b }: Extract<CollectionRoute, { kind: 'comparison' }>,
  context: CollectionContext,
): Promise<Response> {
  const [one, other] = [await findCollection(a, context), await findCollection(b, context)];
  requireJson(context.request);
  const comparison = await compare(toComparedCollection(one), toComparedCollection(other), context);
  return answerDocument(comparison, immutable(context));
}

async function answerLocalComparison(
  { a }: Extract<CollectionRoute, { kind: 'local-comparison' }>,
  context: CollectionContext,
): Promise<Response> {
  const { request, settings } = context;
  const collection = await findCollection(a, context);
  requireJson(request);
  const local = await parseLocalCollection(await readBody(request, settings.collectionBodyBytes), request.signal);
  const comparison = await compare(toComparedCollection(collection), local, context);
  return toDocumentResponse(comparison, { 'cache-control': 'no-store' });
}

function compare(
  a: ComparedCollection,
  b: ComparedCollection,
  { request, settings }: CollectionContext,
): Promise<CollectionComparison> {
  return compareCollections(a, b, { rules: settings.comparisonRules, signal: request.signal });
}

async function findCollection(digest: string, { collections }: CollectionContext): Promise<SequenceCollection> {
  const collection = await collections.find(digest);
  if (collection === undefined) throw new RefgetError('Not Found', 'there is no sequence collection with that digest');
  return collection;
}

async function readBody(request: Request, maxBytes: number): Promise<string> {
  try {
    return await readJsonBody(request, maxBytes);
  } catch (cause) {
    if (!(cause instanceof RequestBodyError)) throw cause;
    throw new RefgetError(cause.code === 'TOO_LARGE' ? 'Content Too Large' : 'Bad Request', cause.message, { cause });
  }
}

function requireJson(request: Request): void {
  if (negotiateRefgetFormat(request.headers.get('accept'), ['json']) !== undefined) return;
  throw new RefgetError('Not Acceptable', 'supported media types: application/json');
}

/** What a digest names never changes. */
function immutable({ request, settings }: CollectionContext): CollectionAnswer {
  return { request, cacheControl: cacheControl({ isImmutable: true, isPublic: settings.authorize === undefined }) };
}

function revalidated({ request, settings }: CollectionContext): CollectionAnswer {
  return { request, cacheControl: cacheControl({ isImmutable: false, isPublic: settings.authorize === undefined }) };
}
