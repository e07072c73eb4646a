import type { AccessEvent } from '@htskit/htsget';
import {
  AccessRecorder,
  checkPermission,
  errorResponse,
  formatAllow,
  type Grant,
  Hooks,
  methodNotAllowed,
  type ObjectName,
  restrictRegions,
} from '@htskit/htsget/internal';
import { matchesIfNoneMatch, type PlainResponse, preflightHeaders, toResponse, withDataHeaders } from '@htskit/http';
import { queryParameters } from '@htskit/http/internal';
import { LruCache } from '@htskit/io';
import { HtsgetError, type HtsgetRegion, negotiateMediaType } from '@htskit/protocol';
import { computeBins, type KnownRegion } from './compute-bins.js';
import { type CoverageFile, CoverageFiles } from './coverage-file.js';
import { type CoverageLimits, type CoverageOptions, withLimitDefaults } from './options.js';
import { type CoveragePath, parseCoveragePath } from './path.js';
import { type CoverageQuery, parseCoverageQuery } from './query.js';
import { type CoverageBody, type CoverageMediaType, encodeBins, MEDIA_TYPES, toCoverageError } from './response.js';

const METHODS = ['GET', 'HEAD'] as const;

/**
 * Creates a fetch-style handler of the depth of alignments by bin: `/coverage/{id}?referenceName=&start=&end=&bins=`, relative to
 * where it is mounted. Short regions are exact, longer ones are estimated from the index and say so. Errors have the bodies of
 * htsget. Throws RangeError for invalid limits.
 *
 * @example
 * ```ts
 * import { createCoverageHandler } from '@htskit/coverage';
 * import { fileSource } from '@htskit/storage/file';
 *
 * const handler = createCoverageHandler({
 *   resolve: async (id) => {
 *     if (id !== 'NA12878') return undefined;
 *     return [{ format: 'BAM', data: fileSource('NA12878.bam'), index: fileSource('NA12878.bam.bai') }];
 *   },
 * });
 * const response = await handler(new Request('http://localhost/coverage/NA12878?referenceName=chr1&bins=500'));
 * ```
 */
export function createCoverageHandler(options: CoverageOptions): (request: Request) => Promise<Response> {
  const handle = createPlainCoverageHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** Answers a request. A caller that has classified the path already may pass it. */
export type PlainCoverageHandler = (request: Request, path?: CoveragePath) => Promise<PlainResponse>;

/** Like `createCoverageHandler`, for servers that take plain responses: see `PlainResponse` of `@htskit/http`. */
export function createPlainCoverageHandler(options: CoverageOptions): PlainCoverageHandler {
  const service = new CoverageService(options);
  return async (request, knownPath) => {
    const path = knownPath ?? parseCoveragePath(new URL(request.url).pathname, options.prefix);
    if (request.method === 'OPTIONS') {
      const headers = { allow: formatAllow(METHODS), ...preflightHeaders(request, METHODS) };
      return new Response(null, { status: 204, headers });
    }
    return withDataHeaders(await service.answer(request, path), request);
  };
}

interface AnswerContext {
  readonly request: Request;
  readonly id: string;
  readonly recorder: AccessRecorder | undefined;
}

/** A request that was parsed and authorized. */
interface AuthorizedQuery extends CoverageQuery {
  readonly permission: Grant;
  readonly mediaType: CoverageMediaType;
}

class CoverageService {
  readonly #options: CoverageOptions;
  readonly #limits: CoverageLimits;
  readonly #hooks: Hooks;
  readonly #files: CoverageFiles;
  /** Answers for everybody who may see all of an object. */
  readonly #answers: LruCache<CoverageBody>;

  constructor(options: CoverageOptions) {
    const { onError, onEvent } = options;
    this.#options = options;
    this.#limits = withLimitDefaults(options.limits);
    this.#hooks = new Hooks({
      ...(onError && { onError }),
      ...(onEvent && { onEvent: (event) => onEvent(event as AccessEvent) }),
    });
    this.#files = new CoverageFiles({ ...options, limits: this.#limits });
    this.#answers = new LruCache({ maxWeight: this.#limits.answerBytes });
  }

  async answer(request: Request, path: CoveragePath): Promise<PlainResponse> {
    const { method } = request;
    if (path.kind === 'unknown') return errorResponse(new HtsgetError('NotFound', path.message), { method });
    const { id } = path;
    const object: ObjectName = { datatype: 'reads', id };
    const recorder = this.#hooks.hasListener
      ? new AccessRecorder('coverage', request, (event) => this.#hooks.event(event))
      : undefined;
    if (recorder !== undefined) recorder.object = object;
    let response: PlainResponse;
    try {
      response = METHODS.some((known) => known === method)
        ? await this.#answerBins({ request, id, recorder })
        : methodNotAllowed(method, METHODS);
    } catch (failure) {
      const error = toCoverageError(failure);
      if (error.status >= 500 && !request.signal.aborted) {
        this.#hooks.error(failure, object, request.headers.get('x-request-id') ?? undefined);
      }
      response = errorResponse(error, { method });
    }
    recorder?.respond(response.status, { isStream: false });
    return response;
  }

  async #answerBins(context: AnswerContext): Promise<PlainResponse> {
    const { request, recorder } = context;
    const { contentType, body, entityTag } = await this.#body(context, await this.#authorize(context));
    if (recorder !== undefined) recorder.plannedBytes = body.length;
    const audience = this.#options.authorize === undefined ? 'public' : 'private';
    const headers = { etag: entityTag, 'cache-control': `${audience}, no-cache`, vary: 'Accept' };
    if (matchesIfNoneMatch(request.headers.get('if-none-match'), entityTag)) {
      return { status: 304, headers, body: null };
    }
    return {
      status: 200,
      headers: { ...headers, 'content-type': contentType, 'content-length': String(body.length) },
      body: request.method === 'HEAD' ? null : body,
    };
  }

  /** Checks in the order of htsget: authentication, then syntax. */
  async #authorize({ request, id, recorder }: AnswerContext): Promise<AuthorizedQuery> {
    const { authorize } = this.#options;
    const { signal } = request;
    const allowed = authorize === undefined ? 'all' : await authorize({ request, datatype: 'reads', id, signal });
    const { grant: permission, subject } = checkPermission(allowed);
    const query = parseCoverageQuery(queryParameters(request), this.#limits.bins);
    if (recorder !== undefined) {
      recorder.subject = subject;
      recorder.isRestricted = permission !== 'all';
      recorder.regions = [query.region];
    }
    const accepted = negotiateMediaType(request.headers.get('accept'), MEDIA_TYPES);
    const mediaType = MEDIA_TYPES.find((known) => known === accepted);
    if (mediaType !== undefined) return { ...query, permission, mediaType };
    throw new HtsgetError('InvalidInput', `supported media types: ${MEDIA_TYPES.join(', ')}`, { status: 406 });
  }

  /** Checks in the order of htsget: id, permission on the region, reference, range. */
  async #body({ request, id }: AnswerContext, query: AuthorizedQuery): Promise<CoverageBody> {
    const { bins, invalidRange, mediaType, permission } = query;
    const { signal } = request;
    const files = await this.#options.resolve(id, 'reads', { signal });
    const stored = files?.find(({ format }) => format === 'BAM' || format === 'CRAM');
    if (stored === undefined) throw new HtsgetError('NotFound', 'there is no object with this id');
    const permitted = permission === 'all' ? undefined : restrictRegions([query.region], permission.regions);
    const file = await this.#files.open(stored, signal);
    const region = findRegion(file, query.region);
    if (invalidRange !== undefined) throw new HtsgetError('InvalidRange', invalidRange);
    const compute = async (): Promise<CoverageBody> =>
      encodeBins(await computeBins(file, region, { bins, permitted, limits: this.#limits, signal }), mediaType);
    if (file.key === undefined || permitted !== undefined) return compute();
    const key = JSON.stringify([file.key, region.referenceId, region.start, region.end, bins, mediaType]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = await compute();
    this.#answers.set(key, answer, answer.body.length + key.length + ANSWER_BYTES);
    return answer;
  }
}

/** Bytes of an entry of the cache, apart from its key and body. */
const ANSWER_BYTES = 300;

/** Throws `HtsgetError` NotFound for a reference that the header does not name. The region is cut to the reference. */
function findRegion(
  { references }: CoverageFile,
  { referenceName, start = 0, end = Infinity }: HtsgetRegion,
): KnownRegion {
  const referenceId = references.findIndex(({ name }) => name === referenceName);
  const { length = 0 } = references[referenceId] ?? {};
  if (referenceId === -1) throw new HtsgetError('NotFound', 'the object has no reference of this name');
  return { referenceName, referenceId, start: Math.min(start, length), end: Math.min(end, length) };
}
