import type { PlainResponse } from '@htskit/http';
import { queryParameters } from '@htskit/http/internal';
import { drsServiceInfo } from '@htskit/protocol';
import { type DrsContext, type OpenedObject, openObject, refusalOf } from '../context.js';
import { createAccessUrl, findAuthorizations } from '../describe/access-methods.js';
import { describeObject } from '../describe/describe-bundle.js';
import { DrsError, jsonResponse } from '../drs-error.js';
import type { DrsSettings } from '../options.js';
import type { DrsPath } from '../path.js';
import type { DrsGrant } from '../permission.js';
import { answerAccesses, answerAllAuthorizations, answerObjects } from './answer-bulk.js';
import { type RequestBody, readBody, readFlag, readStrings } from './request-body.js';

/** Seconds after which a client may ask again for an object whose checksums are being computed. */
const RETRY_AFTER_SECONDS = 5;

/** A path of DRS. */
export type ApiPath = Exclude<DrsPath, { readonly kind: 'file' | 'unknown' }>;

export interface AnswerContext extends DrsContext {
  /** Called with what the request may see of the object that it names. */
  readonly setGrant: (grant: DrsGrant) => void;
}

/** Answers a request to the API whose method is one of the path. Throws `DrsError`, and what the hooks and the storage throw. */
export async function answerDrs(path: ApiPath, context: AnswerContext): Promise<PlainResponse> {
  const { request, settings } = context;
  if (path.kind === 'service-info') return jsonResponse(describeService(settings));
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const body = hasBody ? await readBody(request, settings.limits.bodyBytes) : {};
  if (!('id' in path)) {
    if (path.kind === 'bulk-access') return answerAccesses(body, context);
    if (request.method === 'OPTIONS') return answerAllAuthorizations(body, context);
    return answerObjects(body, isExpanded(body, context), context);
  }
  if (request.method === 'OPTIONS') return answerAuthorizations(path.id, context);
  const passports = readStrings(body, 'passports');
  const opened = await openObject(path.id, { ...context, passports });
  if (path.kind === 'access') return jsonResponse(await createAccessUrl(path.accessId, opened, context));
  if (path.kind === 'fasta-index') return answerFastaIndex(opened);
  const described = await describeObject(opened, { isExpanded: isExpanded(body, context), passports }, context);
  return described === undefined ? PENDING : jsonResponse(described);
}

/** The answer while checksums are being computed: an object must have one (DRS 1.5, `202Accepted`). */
const PENDING: PlainResponse = {
  status: 202,
  headers: { 'retry-after': String(RETRY_AFTER_SECONDS), 'content-length': '0', 'cache-control': 'no-store' },
  body: null,
};

/** Returns whether nested bundles are to be listed: by the query of a GET and of a POST of several objects, and by the body. */
function isExpanded(body: RequestBody, { request }: DrsContext): boolean {
  // Python's requests sends True.
  const value = queryParameters(request).get('expand')?.toLowerCase();
  if (value === undefined) return readFlag(body, 'expand');
  if (value === 'true' || value === 'false') return value === 'true';
  throw new DrsError('BAD_REQUEST', 'expand must be true or false');
}

async function answerAuthorizations(id: string, context: DrsContext): Promise<PlainResponse> {
  const authorizations = await findAuthorizations(id, context);
  const headers = { allow: 'GET, HEAD, POST, OPTIONS' };
  if (authorizations === undefined) return { status: 204, headers, body: null };
  return jsonResponse(authorizations, { headers });
}

async function answerFastaIndex(opened: OpenedObject): Promise<PlainResponse> {
  const refusal = refusalOf(opened);
  if (refusal !== undefined) throw refusal;
  const { object } = opened;
  if (object.kind === 'bundle' || object.fastaIndex === undefined) {
    throw new DrsError('NOT_FOUND', 'the object is not a FASTA file of a collection');
  }
  return jsonResponse(await object.fastaIndex());
}

function describeService({ serviceInfo, authority, limits }: DrsSettings): object {
  return drsServiceInfo({ ...serviceInfo, authority, maxBulkRequestLength: limits.bulkObjects });
}
