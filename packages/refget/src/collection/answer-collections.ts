import type { PlainResponse } from '@htskit/http';
import { queryParameters, RequestBodyError, type RequestParameters, readJsonBody } from '@htskit/http/internal';
import { type Authority, negotiateRefgetFormat, RefgetError, seqcolServiceInfo } from '@htskit/protocol';
import type { SequenceCollection } from '@htskit/sequences';
import { ARRAY_ATTRIBUTES, COLLECTION_ATTRIBUTES } from '@htskit/sequences/internal';
import { cacheControl, methodNotAllowed } from '../json-response.js';
import type { RefgetObject, RefgetSettings } from '../options.js';
import { type CollectionRoute, methodsOf, type RefgetPath } from '../route.js';
import { answerCollectionFile } from './answer-collection-file.js';
import type { CollectionCatalogue, CollectionFilter } from './collection-catalogue.js';
import { answerRegions } from './collection-regions.js';
import {
  answerAttribute,
  answerDocument,
  answerLevel2,
  answerUncached,
  type CollectionAnswer,
} from './collection-response.js';
import { collectionSchema } from './collection-schema.js';
import {
  type CollectionComparison,
  type ComparedCollection,
  compareCollections,
  toComparedCollection,
} from './compare-collections.js';
import { parseLocalCollection } from './local-collection.js';

interface CollectionContext {
  readonly request: Request;
  readonly authority: Authority;
  /** The object that the request names. */
  readonly object: RefgetObject | undefined;
  readonly collections: CollectionCatalogue;
  readonly settings: RefgetSettings;
}

/** Answers for sequence collections (sequence collections 1.0.0, §3). The order of errors is 405, 401, 404, 406, 400. */
export async function answerCollections(
  target: Extract<RefgetPath, { area: 'collection' }>,
  context: CollectionContext,
): Promise<PlainResponse> {
  const { route } = target;
  const { request, object, settings } = context;
  const methods = methodsOf(target);
  if (!methods.includes(request.method)) throw methodNotAllowed(methods);
  if (object !== undefined && !settings.isPublic) await settings.authorize(request, object);
  switch (route.kind) {
    case 'service-info':
      requireJson(request);
      return answerDocument(describeService(context), revalidated(context));
    case 'list':
      requireJson(request);
      return answerDocument(await listCollections(context), revalidated(context));
    case 'collection':
      return answerCollection(await findCollection(route.digest, context), context);
    case 'fasta':
    case 'fai':
      return answerCollectionFile(route.kind, await findCollection(route.digest, context), context);
    case 'regions': {
      const collection = await findCollection(route.digest, context);
      requireJson(request);
      const text = await readBody(request, settings.limits.collectionBodyBytes);
      return answerRegions(text, collection, { request, settings, onError: reporterOf(context) });
    }
    case 'attribute-list':
      requireJson(request);
      return answerDocument(await listAttributes(route.attribute, context), revalidated(context));
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
    // Unlike the other fields, the id must differ from that of the sequence service.
    ...(serviceInfo?.id !== undefined && { id: `${serviceInfo.id}.seqcol` }),
    authority,
    schema: collectionSchema(authority),
  });
}

/** The part of a list that a request selects. */
interface ListQuery {
  readonly filters: readonly CollectionFilter[];
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
}

const DEFAULT_PAGE_SIZE = 100;

/** Bounds the length of a response, and keeps the product of both numbers exact. */
const MAX_PAGE_SIZE = 10_000;
const MAX_PAGE = 1_000_000_000;

async function listCollections({ collections, request }: CollectionContext): Promise<object> {
  const { filters, page, pageSize } = parseListQuery(queryParameters(request));
  const { digests, total } = await collections.list({ filters, start: page * pageSize, limit: pageSize });
  return { results: digests, pagination: { page, page_size: pageSize, total } };
}

async function listAttributes(name: string, { collections, request }: CollectionContext): Promise<object> {
  const attribute = COLLECTION_ATTRIBUTES.find((known) => known === name);
  if (attribute === undefined) throw new RefgetError('Not Found', 'there is no attribute with this name');
  const { filters, page, pageSize } = parseListQuery(queryParameters(request));
  if (filters.length > 0) throw new RefgetError('Bad Request', 'the parameters of this list are page and page_size');
  const range = { start: page * pageSize, limit: pageSize };
  const { digests, total } = await collections.listAttribute(attribute, range);
  return { results: digests, pagination: { page, page_size: pageSize, total } };
}

/** Parses the query of a list (sequence collections 1.0.0, §3.4). Throws RefgetError Bad Request. */
function parseListQuery(params: RequestParameters): ListQuery {
  const filters: CollectionFilter[] = [];
  for (const [name, digest] of params) {
    if (name === 'page' || name === 'page_size') continue;
    const attribute = COLLECTION_ATTRIBUTES.find((known) => known === name);
    if (attribute === undefined) {
      const known = COLLECTION_ATTRIBUTES.join(', ');
      throw new RefgetError('Bad Request', `the parameters of a list are page, page_size and ${known}`);
    }
    filters.push({ attribute, digest });
  }
  return {
    filters,
    page: parseNumber(params, { name: 'page', minimum: 0, maximum: MAX_PAGE }) ?? 0,
    pageSize: parseNumber(params, { name: 'page_size', minimum: 1, maximum: MAX_PAGE_SIZE }) ?? DEFAULT_PAGE_SIZE,
  };
}

interface NumberRules {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
}

function parseNumber(params: RequestParameters, { name, minimum, maximum }: NumberRules): number | undefined {
  const values = params.getAll(name);
  const [text] = values;
  if (text === undefined) return undefined;
  const value = values.length === 1 && /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value >= minimum && value <= maximum) return value;
  throw new RefgetError('Bad Request', `${name} must be one whole number from ${minimum} to ${maximum}`);
}

function answerCollection(collection: SequenceCollection, context: CollectionContext): Promise<PlainResponse> {
  const { digest, attributes } = collection;
  requireJson(context.request);
  switch (parseLevel(queryParameters(context.request))) {
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

/** Parses the level (sequence collections 1.0.0, §3.2). Level 0, which has no specified response, is the digest as a JSON string. */
function parseLevel(params: RequestParameters): 0 | 1 | 2 {
  const levels = params.getAll('level');
  const level = levels.length === 0 ? 2 : ([0, 1, 2] as const).find((known) => levels.join() === String(known));
  if (level === undefined) throw new RefgetError('Bad Request', 'level must be 0, 1 or 2');
  return level;
}

async function findAndAnswerAttribute(
  { attribute: name, digest }: Extract<CollectionRoute, { kind: 'attribute' }>,
  context: CollectionContext,
): Promise<PlainResponse> {
  const attribute = ARRAY_ATTRIBUTES.find((known) => known === name);
  const collection = attribute && (await context.collections.findAttribute(attribute, digest));
  if (attribute === undefined || collection === undefined) {
    throw new RefgetError('Not Found', 'there is no attribute with this name and digest');
  }
  requireJson(context.request);
  return answerAttribute(collection, attribute, immutable(context));
}

async function answerComparison(
  { a, b }: Extract<CollectionRoute, { kind: 'comparison' }>,
  context: CollectionContext,
): Promise<PlainResponse> {
  const [one, other] = [await findCollection(a, context), await findCollection(b, context)];
  requireJson(context.request);
  const comparison = await compare(toComparedCollection(one), toComparedCollection(other), context);
  return answerDocument(comparison, immutable(context));
}

async function answerLocalComparison(
  { a }: Extract<CollectionRoute, { kind: 'local-comparison' }>,
  context: CollectionContext,
): Promise<PlainResponse> {
  const { request, settings } = context;
  const collection = await findCollection(a, context);
  requireJson(request);
  const local = await parseLocalCollection(
    await readBody(request, settings.limits.collectionBodyBytes),
    request.signal,
  );
  const comparison = await compare(toComparedCollection(collection), local, context);
  return answerUncached(comparison, { request, onError: reporterOf(context) });
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
  if (collection === undefined) throw new RefgetError('Not Found', 'there is no sequence collection with this digest');
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

/** The content of a digest never changes. */
function immutable(context: CollectionContext): CollectionAnswer {
  return toAnswer(context, true);
}

function revalidated(context: CollectionContext): CollectionAnswer {
  return toAnswer(context, false);
}

function toAnswer(context: CollectionContext, isImmutable: boolean): CollectionAnswer {
  const { request, settings } = context;
  const { isPublic } = settings;
  return { request, cacheControl: cacheControl({ isImmutable, isPublic }), onError: reporterOf(context) };
}

/** Returns a function that reports the failure of a body, unless the client has disconnected. */
function reporterOf({ request, object, settings }: CollectionContext): (error: unknown) => void {
  return (error) => {
    if (!request.signal.aborted) settings.onError(error, object, request);
  };
}
