import type { IncomingMessage } from 'node:http';
import { hasBody, onResponseClosed } from '@htskit/adapters/internal';
import type { HtsgetEvent } from '@htskit/htsget';
import { loopTurns, type TurnScheduler } from '@htskit/io/internal';
import type { Authority } from '@htskit/protocol';
import { describeError } from '../../errors.js';
import { createRareLog, failureLog, guard } from '../background.js';
import { type CorsOrigins, originHeaders } from '../cors.js';
import type { Logger } from '../logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { type RequestRoute, routeOf } from '../request-route.js';
import { type ServerLimits, withLimitDefaults } from '../server-limits.js';
import type { Tracing } from '../tracing/tracing.js';
import { ClientCounts, clientAddress } from './client-address.js';
import type { GatedListener, GatedResponse } from './gated-response.js';
import { countWorking, InFlightRequest, toRequestId } from './in-flight-request.js';
import { Load, type LoadOptions, type ShedReason } from './load.js';
import { type OperationalOptions, OperationalPaths, PROBES } from './operational-paths.js';
import { type StoresReport, sendText, type TextResponse, toRefusal, toTextResponse } from './operational-responses.js';
import { BodyBudget, readsBody } from './request-body.js';
import { RequestQueue } from './request-queue.js';

/** A request that the gate passes on. */
export interface AdmittedRequest {
  /** The path is classified once. */
  readonly route: RequestRoute;
  /** The whole body of a POST, or more of it than a handler accepts. */
  readonly body: Uint8Array | undefined;
}

export type RoutedListener = (incoming: IncomingMessage, outgoing: GatedResponse, admitted: AdmittedRequest) => void;

export interface RequestGateOptions extends OperationalOptions {
  readonly logger: Logger;
  readonly tracing?: Tracing;
  readonly limits?: { readonly [Key in keyof ServerLimits]?: number } | undefined;
  /** The number of proxies before the server whose X-Forwarded-For is trusted. Default 0. */
  readonly trustedProxies?: number;
  readonly authority: Authority;
  /** The origins whose scripts may read the responses. Default: all. */
  readonly origins?: CorsOrigins;
  /** The maximum number of bytes of a request body that a handler accepts. Default 4 MiB. */
  readonly bodyBytes?: number;
  /** The maximum number of bytes of all request bodies that are being received. Default 256 MiB. */
  readonly receivingBytes?: number;
  /** Milliseconds between two checks for slow clients and load. Default 250. */
  readonly sweepMilliseconds?: number;
  /** Milliseconds since any fixed point in time, for the speed of clients. */
  readonly now?: () => number;
  readonly load?: LoadOptions;
  /** Returns why a request must be refused for another reason than load. Default: none is. */
  readonly refusal?: ((route: RequestRoute) => ShedReason | undefined) | undefined;
  /** Decides when requests are passed on. Default: those of this thread. */
  readonly turns?: Pick<TurnScheduler, 'run'>;
}

/**
 * Admits requests to a listener. The gate assigns request ids, receives bodies, sheds load, cuts off slow clients, answers
 * probes, and records each request in logs, metrics and traces.
 */
export class RequestGate {
  readonly #options: RequestGateOptions;
  readonly #inFlight = new Set<InFlightRequest>();
  /** Those that were not refused. */
  readonly #admitted = new Set<InFlightRequest>();
  /** The same requests by their ids. */
  readonly #requests = new Map<string, InFlightRequest>();
  /** The requests in flight of each client behind trusted proxies. */
  readonly #clients = new ClientCounts();
  readonly #load: Load;
  /** Probes do not wait in it. */
  readonly #queue: RequestQueue;
  readonly #paths: OperationalPaths;
  readonly #record: (request: InFlightRequest) => void;
  readonly #bodies: BodyBudget;
  /** The origins whose scripts may read the responses. */
  origins: CorsOrigins;
  readonly #sweeper: NodeJS.Timeout;
  readonly #endListeners = new Set<(request: InFlightRequest) => void>();
  #limits: ServerLimits;
  #isDraining = false;
  /** The maximum number of bytes of a request body that a handler accepts. */
  bodyBytes: number;

  constructor({ sweepMilliseconds = 250, ...options }: RequestGateOptions) {
    this.#options = options;
    this.#limits = withLimitDefaults(options.limits);
    this.#load = new Load(options.load);
    this.#queue = new RequestQueue(options.turns ?? loopTurns);
    this.#paths = new OperationalPaths(options);
    this.origins = options.origins ?? '*';
    this.bodyBytes = options.bodyBytes ?? 2 ** 22;
    this.#bodies = new BodyBudget(options.receivingBytes);
    const rareLog = createRareLog((message) => options.logger.error(message));
    this.#record = guard((request) => this.#observe(request), failureLog('recording a request', rareLog));
    const sweep = guard(() => this.#sweep(sweepMilliseconds), failureLog('measuring the load', rareLog));
    this.#sweeper = setInterval(sweep, sweepMilliseconds).unref();
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
    this.#paths.openApi = document && JSON.stringify(document);
  }

  /** The limit of load that is exceeded, for people. */
  get fault(): string | undefined {
    return this.#load.fault(this.#limits);
  }

  get trustedProxies(): number {
    return this.#options.trustedProxies ?? 0;
  }

  get metrics(): Metrics | undefined {
    return this.#options.metrics;
  }

  get logger(): Logger {
    return this.#options.logger;
  }

  get inFlight(): ReadonlySet<InFlightRequest> {
    return this.#inFlight;
  }

  /** Sets the function that reads the state of the stores, for `/readyz` and the metrics. */
  watchStores(read: () => StoresReport): void {
    this.#paths.readStores = read;
    this.metrics?.watchStores(() => read().stores);
  }

  /** Returns the response to `/readyz` for the value of an `Accept` header. */
  readonly readReadiness = (accept: string | undefined): TextResponse => this.#paths.readiness(this, accept);

  /** Makes `/readyz` report that the server is ready. */
  setReady(): void {
    if (this.#paths.state === 'starting') this.#paths.state = 'ready';
  }

  /** Makes each response close its connection, and `/readyz` report that the server stops unless another one replaces it. */
  setDraining({ isReplaced }: { readonly isReplaced: boolean }): void {
    this.#isDraining = true;
    if (!isReplaced) this.#paths.state = 'draining';
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

  /** Returns the request in flight with an id. */
  readonly find = (id: string): InFlightRequest | undefined => this.#requests.get(id);

  /** Returns the address of the client of a request in flight. */
  readonly clientOf = ({ headers }: Pick<Request, 'headers'>): string | undefined =>
    this.find(headers.get('x-request-id') ?? '')?.client;

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
  wrap(listener: RoutedListener): GatedListener {
    return (incoming, outgoing) => {
      const request = this.#begin(incoming, outgoing);
      this.#track(request);
      const response = this.#paths.answer(request, this);
      if (response !== undefined) {
        Promise.resolve(response).then(
          (known) => sendText(known, outgoing),
          (error: unknown) => this.#fail(request, error),
        );
        return;
      }
      const pass = (body: Uint8Array | undefined): void => this.#pass(request, body, listener);
      // It takes no slot while it arrives.
      if (readsBody(request) && hasBody(incoming)) this.#receive(request, pass);
      else pass(undefined);
    };
  }

  #begin(incoming: IncomingMessage, outgoing: GatedResponse): InFlightRequest {
    const { headers, method = 'GET' } = incoming;
    const requestedId = toRequestId(headers['x-request-id']);
    const id = this.#requests.has(requestedId) ? toRequestId(undefined) : requestedId;
    // A hook, such as one that calls an authorization service, can pass the same id on.
    headers['x-request-id'] = id;
    outgoing.requestId = id;
    if (this.#isDraining) outgoing.gateHeaders = ['connection', 'close'];
    const route = routeOf(incoming.url ?? '');
    const client = clientAddress(incoming, this.trustedProxies);
    const tracing = route.owner === 'operation' ? undefined : this.#options.tracing;
    const span = tracing?.startRequest({ method, route: route.template, headers, client });
    return new InFlightRequest(outgoing, { id, method, route, client, span });
  }

  /** Receives the body of a request and passes it on. Bodies beyond the limits of load are refused before they are complete. */
  #receive(request: InFlightRequest, pass: (body: Uint8Array) => void): void {
    if (this.#isRefused(request)) return;
    this.#bodies.receive(request, {
      maxBytes: this.bodyBytes,
      onBody: pass,
      onRefused: () => this.#refuse(request, 'client'),
    });
  }

  /** Passes a request on, when the event loop has time for it, if there is a slot for it. */
  #pass(request: InFlightRequest, body: Uint8Array | undefined, listener: RoutedListener): void {
    if (this.#isRefused(request)) return;
    const { outgoing, route, span } = request;
    request.admit();
    this.#admitted.add(request);
    this.#queue.add(request, () => {
      const answer = (): void => listener(outgoing.req, outgoing, { route, body });
      if (span === undefined) answer();
      else span.run(answer);
    });
  }

  /** Refuses a request that a limit does not allow, and returns whether it did. */
  #isRefused(request: InFlightRequest): boolean {
    // A preflight is never shed: the browser would hide the refusal from the script.
    if (request.method === 'OPTIONS') return false;
    const working = countWorking(this.#admitted, this.#limits.concurrency);
    const load = request.isOverClientLimit ? 'client' : this.#load.refusal(working, this.#limits);
    const reason = load ?? this.#options.refusal?.(request.route);
    if (reason !== undefined) this.#refuse(request, reason);
    return reason !== undefined;
  }

  /** Tracks a request until its response ends or its connection closes. */
  #track(request: InFlightRequest): void {
    const { outgoing, id, client } = request;
    const { trustedProxies } = this;
    this.#inFlight.add(request);
    this.#requests.set(id, request);
    // Without a proxy, the connections of a client are counted instead.
    if (trustedProxies > 0) request.isOverClientLimit = this.#clients.add(client) > this.#limits.connectionsPerClient;
    onResponseClosed(outgoing, () => {
      this.#inFlight.delete(request);
      this.#admitted.delete(request);
      this.#requests.delete(id);
      if (trustedProxies > 0) this.#clients.remove(client);
      this.#record(request);
      for (const listener of this.#endListeners) listener(request);
    });
  }

  #observe(request: InFlightRequest): void {
    const { method, bytes, status, span, object, milliseconds, firstByteMilliseconds, outcome } = request;
    const { logger, metrics } = this.#options;
    const { template } = request.route;
    span?.end({ status, bytes, object });
    metrics?.observeRequest({ method, route: template, status, bytes, milliseconds, firstByteMilliseconds, outcome });
    if (!PROBES.has(template) || status >= 400) logger.access(request.toRecord());
  }

  #refuse(request: InFlightRequest, reason: ShedReason): void {
    const { outgoing, route } = request;
    const { authority, metrics } = this.#options;
    request.shedReason = reason;
    metrics?.countShed(reason);
    this.#queue.addRefusal(request, () => {
      const cors = originHeaders(outgoing.req.headers.origin, this.origins);
      sendText(toRefusal({ ...this.#limits, owner: route.owner, authority, cors }), outgoing);
    });
  }

  #fail({ outgoing }: InFlightRequest, error: unknown): void {
    this.#options.logger.error(describeError(error));
    sendText(toTextResponse(500, 'internal server error'), outgoing);
  }

  #sweep(everyMilliseconds: number): void {
    this.#load.sample(everyMilliseconds);
    const now = this.#options.now?.() ?? performance.now();
    for (const request of this.#inFlight) if (request.isSlow(now, this.#limits)) request.cutOff();
  }
}
