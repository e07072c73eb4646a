import type { IncomingMessage, ServerResponse } from 'node:http';
import { onResponseClosed } from '@htskit/adapters/internal';
import type { HtsgetEvent } from '@htskit/htsget';
import type { Authority } from '@htskit/protocol';
import { describeError } from '../../errors.js';
import type { Logger, Outcome } from '../logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { type RequestRoute, routeOf } from '../request-route.js';
import { type ServerLimits, withLimitDefaults } from '../server-limits.js';
import { type CorsOrigins, originHeaders } from '../service/handlers.js';
import type { Tracing } from '../tracing/tracing.js';
import { clientAddress, InFlightRequest, toRequestId } from './in-flight-request.js';
import { Load, type LoadOptions, limitPipelining, type ShedReason } from './load.js';
import {
  readMetrics,
  type StoresReport,
  sendText,
  type TextResponse,
  toJsonResponse,
  toReadyResponse,
  toRefusal,
  toTextResponse,
} from './operational-responses.js';

/** A listener that knows the route of the request, which is classified once. */
export type RoutedListener = (incoming: IncomingMessage, outgoing: ServerResponse, route: RequestRoute) => void;

export interface RequestGateOptions {
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Whether `/metrics` is a path of this server. Default: whether there are metrics. */
  readonly isMetricsPath?: boolean | undefined;
  readonly tracing?: Tracing | undefined;
  readonly limits?: { readonly [Key in keyof ServerLimits]?: number | undefined } | undefined;
  /** The number of proxies before the server whose X-Forwarded-For is trusted. Default 0. */
  readonly trustedProxies?: number | undefined;
  readonly authority: Authority;
  /** The origins whose scripts may read the responses. Default: all. */
  readonly origins?: CorsOrigins | undefined;
  /** The document that `/openapi.json` returns. Without it, that path is passed to the listener. */
  readonly openApi?: object | undefined;
  /** Milliseconds between two checks for slow clients and load. Default 250. */
  readonly sweepMilliseconds?: number | undefined;
  readonly load?: LoadOptions | undefined;
}

type State = 'starting' | 'ready' | 'draining';

/** Supervisors request these all the time, so that only failures are logged. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

const SWEEP_MILLISECONDS = 250;

/**
 * Admits requests to a listener. The gate assigns request ids, sheds load, cuts off slow clients, answers probes, and records
 * each request in logs, metrics and traces.
 */
export class RequestGate {
  readonly #options: RequestGateOptions;
  readonly #inFlight = new Set<InFlightRequest>();
  readonly #ids = new Set<string>();
  readonly #load: Load;
  #openApi: string | undefined;
  #origins: CorsOrigins;
  readonly #sweeper: NodeJS.Timeout;
  readonly #endListeners = new Set<(request: InFlightRequest) => void>();
  #limits: ServerLimits;
  #state: State = 'starting';
  #readStores: () => StoresReport = () => ({ stores: [], hasLocal: true });

  constructor(options: RequestGateOptions) {
    this.#options = options;
    this.#limits = withLimitDefaults(options.limits);
    this.#load = new Load(options.load);
    this.openApi = options.openApi;
    this.#origins = options.origins ?? '*';
    const { sweepMilliseconds = SWEEP_MILLISECONDS } = options;
    this.#sweeper = setInterval(() => this.#sweep(sweepMilliseconds), sweepMilliseconds).unref();
  }

  get limits(): ServerLimits {
    return this.#limits;
  }

  /** Replaces the limits, also for requests in flight. The limits of connections stay as they are. */
  set limits(limits: RequestGateOptions['limits']) {
    this.#limits = withLimitDefaults(limits);
  }

  /** Replaces the document that `/openapi.json` returns. */
  set openApi(document: object | undefined) {
    this.#openApi = document && JSON.stringify(document);
  }

  /** Replaces the origins whose scripts may read the responses. */
  set origins(origins: CorsOrigins) {
    this.#origins = origins;
  }

  get metrics(): Metrics | undefined {
    return this.#options.metrics;
  }

  get inFlight(): ReadonlySet<InFlightRequest> {
    return this.#inFlight;
  }

  /** Sets the function that reads the state of the stores, for `/readyz` and the metrics. */
  watchStores(read: () => StoresReport): void {
    this.#readStores = read;
    this.metrics?.watchStores(() => read().stores);
  }

  /** Makes `/readyz` report that the server is ready. */
  setReady(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }

  /** Makes `/readyz` report that the server stops, and makes each response close its connection. */
  setDraining(): void {
    this.#state = 'draining';
  }

  /** Adds a callback for the end of each response. */
  onEnd(listener: (request: InFlightRequest) => void): void {
    this.#endListeners.add(listener);
  }

  /** Observes an `onEvent` event of the htsget handler. */
  observeEvent(event: HtsgetEvent): void {
    this.#options.metrics?.observeEvent(event);
    this.#options.tracing?.observeEvent(event);
  }

  /** Stops the checks and sends the remaining spans. A failure to send them is logged and delays nothing. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    try {
      await this.#options.tracing?.close();
    } catch (error) {
      this.#options.logger.warn(`cannot send the last spans: ${describeError(error)}`);
    }
  }

  /** Returns a listener of `node:http` that passes admitted requests on. */
  wrap(listener: RoutedListener): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
    const admit = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      const request = this.#begin(incoming, outgoing);
      const response = this.#answerOperational(request);
      if (response !== undefined) {
        this.#track(request);
        Promise.resolve(response).then(
          (known) => sendText(known, outgoing),
          (error: unknown) => this.#fail(request, error),
        );
        return;
      }
      // A preflight is never shed: the browser would hide the refusal from the script.
      const isPreflight = incoming.method === 'OPTIONS';
      const reason = isPreflight ? undefined : this.#load.refusal(this.#inFlight.size, this.#limits);
      this.#track(request, reason);
      const { span, route } = request;
      if (reason !== undefined) this.#refuse(request, reason);
      else if (span === undefined) listener(incoming, outgoing, route);
      else span.run(() => listener(incoming, outgoing, route));
    };
    return limitPipelining(admit, {
      maxCount: () => this.#limits.pipelined,
      onClose: () => this.metrics?.countRefusedConnection(),
    });
  }

  #begin(incoming: IncomingMessage, outgoing: ServerResponse): InFlightRequest {
    const { trustedProxies = 0, tracing } = this.#options;
    const { headers, method = 'GET' } = incoming;
    const requestedId = toRequestId(headers['x-request-id']);
    const id = this.#ids.has(requestedId) ? toRequestId(undefined) : requestedId;
    // A hook, such as one that calls an authorization service, can pass the same id on.
    headers['x-request-id'] = id;
    outgoing.setHeader('x-request-id', id);
    if (this.#state === 'draining') outgoing.setHeader('connection', 'close');
    const route = routeOf(incoming.url ?? '');
    const client = clientAddress(incoming, trustedProxies);
    const isTraced = route.owner !== 'operation';
    const span = isTraced ? tracing?.startRequest({ method, route: route.template, headers, client }) : undefined;
    return new InFlightRequest(outgoing, { id, method, route, client, span });
  }

  /** Tracks a request until its response ends or its connection closes. */
  #track(request: InFlightRequest, reason?: ShedReason): void {
    const { outgoing, id } = request;
    this.#inFlight.add(request);
    this.#ids.add(id);
    onResponseClosed(outgoing, () => {
      this.#inFlight.delete(request);
      this.#ids.delete(id);
      this.#record(request, reason);
      for (const listener of this.#endListeners) listener(request);
    });
  }

  #record(request: InFlightRequest, reason: ShedReason | undefined): void {
    const { id: requestId, method, route, bytes, client, status, span } = request;
    const { logger, metrics } = this.#options;
    const { firstByteMilliseconds, milliseconds, object } = request;
    const outcome = reason === undefined ? outcomeOf(request) : 'shed';
    span?.end({ status, bytes, object });
    const { template } = route;
    metrics?.observeRequest({ method, route: template, status, bytes, milliseconds, firstByteMilliseconds, outcome });
    if (PROBES.has(template) && status < 400) return;
    const traceId = span?.traceId;
    logger.access({
      requestId,
      method,
      route: template,
      status,
      bytes,
      milliseconds: Math.round(milliseconds * 10) / 10,
      outcome,
      client,
      ...(object !== undefined && { object }),
      ...(traceId !== undefined && { traceId }),
    });
  }

  #refuse({ outgoing, route }: InFlightRequest, reason: ShedReason): void {
    const { authority, metrics } = this.#options;
    const cors = originHeaders(outgoing.req.headers.origin, this.#origins);
    const { retryAfterSeconds } = this.#limits;
    metrics?.countShed(reason);
    sendText(toRefusal({ owner: route.owner, authority, cors, retryAfterSeconds }), outgoing);
  }

  /** Answers probes and `/openapi.json`, which are never shed. Returns undefined for every other request. */
  #answerOperational(request: InFlightRequest): TextResponse | Promise<TextResponse> | undefined {
    const { method, route, outgoing } = request;
    if (route.owner !== 'operation' || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const { metrics, isMetricsPath = true } = this.#options;
    switch (route.template) {
      case '/healthz':
        return toTextResponse(200, 'ok');
      case '/readyz':
        return this.#answerReady(request);
      case '/metrics':
        return metrics !== undefined && isMetricsPath ? readMetrics(metrics) : undefined;
      case '/openapi.json':
        if (this.#openApi === undefined) return undefined;
        return toJsonResponse(this.#openApi, originHeaders(outgoing.req.headers.origin, this.#origins));
      default:
        return undefined;
    }
  }

  #answerReady({ outgoing }: InFlightRequest): TextResponse {
    const fault = this.#state === 'ready' ? this.#load.fault(this.#limits) : this.#state;
    return toReadyResponse(fault, this.#readStores(), outgoing.req.headers.accept);
  }

  #fail({ outgoing }: InFlightRequest, error: unknown): void {
    this.#options.logger.error(describeError(error));
    sendText(toTextResponse(500, 'internal server error'), outgoing);
  }

  #sweep(everyMilliseconds: number): void {
    this.#load.sample(everyMilliseconds);
    const now = performance.now();
    for (const request of this.#inFlight) {
      if (request.isSlow(now, this.#limits)) request.cutOff();
    }
  }
}

function outcomeOf({ outgoing, isCutOff }: InFlightRequest): Outcome {
  if (outgoing.writableFinished) return 'complete';
  return isCutOff ? 'slow' : 'aborted';
}
