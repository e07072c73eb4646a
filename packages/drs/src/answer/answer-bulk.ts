import type { PlainResponse } from '@htskit/http';
import { type DrsContext, emitAccess, openObject, outcomeOf, withoutCompactPrefix } from '../context.js';
import { createAccessUrl, findAuthorizations } from '../describe/access-methods.js';
import { describeObject } from '../describe/describe-bundle.js';
import { DrsError, jsonResponse, toDrsError } from '../drs-error.js';
import type { Authorizations } from '../drs-object.js';
import type { DrsGrant } from '../permission.js';
import { checkCount, type RequestBody, readStrings } from './request-body.js';

/** The status of an object whose checksums are being computed. */
const PENDING = 202;
/** Objects that are looked up at once. Node warns if more than ten listeners wait for one signal. */
const CONCURRENCY = 8;

/** The answer for one object: a document, or the status of its refusal. */
interface Result {
  readonly id: string;
  readonly resolved?: object;
  readonly status: number;
  readonly grant?: DrsGrant | undefined;
}

/** Answers POST of several objects with their descriptions. */
export async function answerObjects(
  body: RequestBody,
  isExpanded: boolean,
  context: DrsContext,
): Promise<PlainResponse> {
  const ids = readStrings(body, 'bulk_object_ids');
  const passports = readStrings(body, 'passports');
  checkCount(ids.length, context.settings.limits.bulkObjects, 'bulk_object_ids');
  const results = await mapConcurrently(ids, (id) =>
    resolveOne(id, context, async (known, setGrant) => {
      const opened = await openObject(known, { ...context, passports, setGrant });
      return describeObject(opened, { isExpanded, passports }, context);
    }),
  );
  emitResults(results, context);
  return toBulkResponse(results, 'resolved_drs_object');
}

/** Answers POST of several access ids with the URLs of the bytes. */
export async function answerAccesses(body: RequestBody, context: DrsContext): Promise<PlainResponse> {
  const wanted = readAccessIds(body);
  const passports = readStrings(body, 'passports');
  checkCount(wanted.length, context.settings.limits.bulkObjects, 'bulk_object_access_ids');
  const results = await mapConcurrently(wanted, ({ id, accessId }) =>
    resolveOne(id, context, async (known, setGrant) => {
      const opened = await openObject(known, { ...context, passports, setGrant });
      const url = await createAccessUrl(accessId, opened, context);
      return { drs_object_id: id, drs_access_id: accessId, ...url };
    }),
  );
  emitResults(results, context);
  return toBulkResponse(results, 'resolved_drs_object_access_urls');
}

/** Answers OPTIONS of several objects with how requests for them are authorized. */
export async function answerAllAuthorizations(body: RequestBody, context: DrsContext): Promise<PlainResponse> {
  const ids = readStrings(body, 'bulk_object_ids');
  checkCount(ids.length, context.settings.limits.bulkObjects, 'bulk_object_ids');
  const results = await mapConcurrently(ids, async (id): Promise<Result> => {
    const known = withoutCompactPrefix(id, context.settings);
    const none: Authorizations = { supported_types: ['None'] };
    const found = (await findAuthorizations(known, context)) ?? none;
    return { id, resolved: { ...found, drs_object_id: id }, status: 200 };
  });
  return toBulkResponse(results, 'resolved_drs_object');
}

function readAccessIds(body: RequestBody): readonly { readonly id: string; readonly accessId: string }[] {
  const list = body['bulk_object_access_ids'] ?? [];
  if (!Array.isArray(list)) throw new DrsError('BAD_REQUEST', 'bulk_object_access_ids must be a list');
  return list.flatMap((each: unknown) => {
    const member = Object(each) as RequestBody;
    const id = member['bulk_object_id'];
    if (typeof id !== 'string') throw new DrsError('BAD_REQUEST', 'bulk_object_id must be a string');
    return readStrings(member, 'bulk_access_ids').map((accessId) => ({ id, accessId }));
  });
}

/** Answers one object. A failure becomes the status of the object. */
async function resolveOne(
  id: string,
  context: DrsContext,
  resolve: (id: string, setGrant: (grant: DrsGrant) => void) => Promise<object | undefined>,
): Promise<Result> {
  const known = withoutCompactPrefix(id, context.settings);
  let grant: DrsGrant | undefined;
  try {
    const resolved = await resolve(known, (found) => {
      grant = found;
    });
    return resolved === undefined ? { id, status: PENDING, grant } : { id, resolved, status: 200, grant };
  } catch (failure) {
    const { status } = toDrsError(failure);
    if (status >= 500) context.settings.onError(failure, known, context.request);
    return { id, status, grant };
  }
}

/** Emits the access events of the objects, in their order. */
function emitResults(results: readonly Result[], context: DrsContext): void {
  for (const { id, status, grant } of results) {
    const known = withoutCompactPrefix(id, context.settings);
    emitAccess(context, { resource: 'drs', id: known, status, bytes: 0, outcome: outcomeOf(status), grant });
  }
}

function toBulkResponse(results: readonly Result[], member: string): PlainResponse {
  const resolved = results.flatMap((result) => result.resolved ?? []);
  const statuses = [...new Set(results.filter((result) => result.resolved === undefined).map(({ status }) => status))];
  const unresolved = statuses
    .sort((a, b) => a - b)
    .map((status) => ({
      error_code: status,
      object_ids: results
        .filter((result) => result.resolved === undefined && result.status === status)
        .map(({ id }) => id),
    }));
  const summary = {
    requested: results.length,
    resolved: resolved.length,
    unresolved: results.length - resolved.length,
  };
  return jsonResponse({ summary, unresolved_drs_objects: unresolved, [member]: resolved });
}

async function mapConcurrently<From, To>(
  values: readonly From[],
  convert: (value: From) => Promise<To>,
): Promise<To[]> {
  const converted: To[] = [];
  for (let start = 0; start < values.length; start += CONCURRENCY) {
    converted.push(...(await Promise.all(values.slice(start, start + CONCURRENCY).map(convert))));
  }
  return converted;
}
