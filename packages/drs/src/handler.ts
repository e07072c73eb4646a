import { type PlainResponse, preflightHeaders, toResponse, withDataHeaders } from '@htskit/http';
import { type AnswerContext, answerDrs } from './answer/answer-drs.js';
import { type DrsContext, emitAccess, outcomeOf, withoutCompactPrefix } from './context.js';
import { DrsError, toDrsError, toErrorResponse } from './drs-error.js';
import { answerFile, type SentBytes } from './files/answer-file.js';
import { FileUrlSigner } from './files/file-url.js';
import { type DrsOptions, type DrsSettings, withDefaults } from './options.js';
import { type DrsPath, drsObjectOf, parseDrsPath } from './path.js';
import type { DrsGrant } from './permission.js';

const METHODS: Readonly<Record<DrsPath['kind'], readonly string[]>> = {
  'service-info': ['GET', 'HEAD', 'OPTIONS'],
  object: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  objects: ['POST', 'OPTIONS'],
  access: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  'bulk-access': ['POST', 'OPTIONS'],
  'fasta-index': ['GET', 'HEAD', 'OPTIONS'],
  file: ['GET', 'HEAD', 'OPTIONS'],
  unknown: ['GET', 'HEAD', 'POST', 'OPTIONS'],
};

/** The paths whose OPTIONS is answered with how requests are authorized (DRS 1.5, `OptionsObject` and `OptionsBulkObject`). */
const WITH_AUTHORIZATIONS: readonly DrsPath['kind'][] = ['object', 'objects'];

/**
 * Creates a fetch-style handler of GA4GH DRS 1.5, `/ga4gh/drs/v1/…`, and of the bytes of its objects, `/files/…`, relative to where it
 * is mounted. Every failure is a Response with the error body of DRS. Throws RangeError for invalid options.
 *
 * @example
 * const handler = createDrsHandler({
 *   publicUrl: 'https://data.example.org',
 *   resolve: async (id) => (id === 'a.bam' ? { kind: 'file', id, data: fileSource('/data/a.bam') } : undefined),
 * });
 * const response = await handler(new Request('http://localhost/ga4gh/drs/v1/objects/a.bam'));
 */
export function createDrsHandler(options: DrsOptions): (request: Request) => Promise<Response> {
  const handle = createPlainDrsHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** Answers a request. A caller that has classified the path already may pass it. */
export type PlainDrsHandler = (request: Request, path?: DrsPath) => Promise<PlainResponse>;

/** Like `createDrsHandler`, for servers that take plain responses: see `PlainResponse` of `@htskit/http`. */
export function createPlainDrsHandler(options: DrsOptions): PlainDrsHandler {
  const settings = withDefaults(options);
  const signer = new FileUrlSigner(options.signingKeys ?? [crypto.getRandomValues(new Uint8Array(32))]);
  return async (request, knownPath) => {
    const parsed = knownPath ?? parseDrsPath(new URL(request.url).pathname, settings.prefix);
    const path = withPlainId(parsed, settings);
    const isPreflight = request.headers.has('access-control-request-method');
    if (request.method === 'OPTIONS' && (isPreflight || !WITH_AUTHORIZATIONS.includes(path.kind))) {
      const headers = { ...allowHeader(path), ...preflightHeaders(request, METHODS[path.kind]) };
      return new Response(null, { status: 204, headers });
    }
    const recorder = new AccessRecorder(path, { settings, signer, request });
    const answered = await answer(path, { settings, signer, request, recorder }).catch((failure: unknown) => {
      const error = toDrsError(failure);
      if (error.status >= 500 && !request.signal.aborted) settings.onError(failure, drsObjectOf(path), request);
      return toErrorResponse(error);
    });
    recorder.respond(answered);
    const response = withDataHeaders(answered, request);
    return request.method === 'HEAD' ? { status: response.status, headers: response.headers, body: null } : response;
  };
}

function withPlainId(path: DrsPath, settings: DrsSettings): DrsPath {
  return 'id' in path ? { ...path, id: withoutCompactPrefix(path.id, settings) } : path;
}

async function answer(
  path: DrsPath,
  { recorder, ...shared }: DrsContext & { readonly recorder: AccessRecorder },
): Promise<PlainResponse> {
  const { method } = shared.request;
  if (path.kind === 'unknown') throw new DrsError('NOT_FOUND', path.message);
  if (!METHODS[path.kind].includes(method)) {
    const message = `method ${method} is not allowed here`;
    throw new DrsError('METHOD_NOT_ALLOWED', message, { headers: allowHeader(path) });
  }
  const context: AnswerContext = { ...shared, setGrant: (grant) => recorder.setGrant(grant) };
  if (path.kind === 'file') return answerFile(path.id, { ...context, onSent: (sent) => recorder.sent(sent) });
  return answerDrs(path, context);
}

function allowHeader({ kind }: DrsPath): { readonly allow: string } {
  return { allow: METHODS[kind].join(', ') };
}

/** Emits the access event of a request for one object, once its answer was sent. */
class AccessRecorder {
  readonly #path: DrsPath;
  readonly #context: DrsContext;
  #grant: DrsGrant | undefined;
  #sent: SentBytes | undefined;
  /** The status of a response whose bytes are still being sent. */
  #status: number | undefined;

  constructor(path: DrsPath, context: DrsContext) {
    this.#path = path;
    this.#context = context;
  }

  setGrant(grant: DrsGrant): void {
    this.#grant = grant;
  }

  /** Records the response. The event of a stream is emitted when the stream ends. */
  respond({ status, body }: PlainResponse): void {
    if (this.#sent !== undefined) this.#emit(status, this.#sent);
    else if (body instanceof ReadableStream) this.#status = status;
    else this.#emit(status, { bytes: 0, outcome: outcomeOf(status) });
  }

  /** Records the end of the bytes of a file, which may come before that of the response. */
  sent(sent: SentBytes): void {
    this.#sent = sent;
    if (this.#status !== undefined) this.#emit(this.#status, sent);
  }

  #emit(status: number, sent: { readonly bytes: number; readonly outcome: ReturnType<typeof outcomeOf> }): void {
    const id = drsObjectOf(this.#path);
    // Each object of a bulk request has an event of its own, and OPTIONS shows nothing of an object.
    if (id === undefined || this.#context.request.method === 'OPTIONS') return;
    const resource = this.#path.kind === 'file' ? 'file' : 'drs';
    emitAccess(this.#context, { resource, id, status, ...sent, grant: this.#grant });
  }
}
