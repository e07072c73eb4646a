import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HtsgetEvent } from '@htskit/htsget';
import type { Authority } from '@htskit/protocol';
import { type CorsOrigins, originHeaders } from '../service/cors.js';
import { describeError } from '../../describe-error.js';
import type { Outcome } from '../logging/access-record.js';
import { type Answer, sendAnswer, toTextAnswer } from './send-response.js';
import { clientAddress } from './client-address.js';
import { Exchange } from './in-flight-request.js';
import { type ServerLimits, withLimitDefaults } from '../server-limits.js';
import { Load, type LoadOptions, type ShedReason } from './load.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { limitPipelining } from './pipelining.js';
import { toRefusal } from './refusal.js';
import { toRequestId } from './request-id.js';
import { routeOf } from '../request-route.js';
import type { Tracing } from '../tracing/tracing.js';

/** A listener of `node:http`. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface OperationOptions {
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Whether `/metrics` is a path of this server. Default: where there are metrics. */
  readonly isMetricsPath?: boolean | undefined;
  readonly tracing?: Tracing | undefined;
  readonly limits?: { readonly [Key in keyof ServerLimits]?: number | undefined } | undefined;
  /** Proxies in front whose X-Forwarded-For is believed. Default 0. */
  readonly trustedProxies?: number | undefined;
  readonly authority: Authority;
  /** Whose scripts may read the answers. Default: everybody's. */
  readonly origins?: CorsOrigins | undefined;
  /** What `/openapi.json` answers. Without it, that path is for the listener. */
  readonly openApi?: object | undefined;
  /** Milliseconds between two looks at slow clients and at the process. Default 250. */
  readonly sweepMilliseconds?: number | undefined;
  readonly load?: LoadOptions | undefined;
}

type State = 'starting' | 'ready' | 'draining';

/** Supervisors ask for them all the time, which is told of only where they hear that something is wrong. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

const SWEEP_MILLISECONDS = 250;

/** Watches over requests: gives them ids, tells of them, sheds those for which there is no room, cuts off slow clients. */
export class Operation {
  readonly #options: OperationOptions;
  readonly #exchanges = new Set<Exchange>();
  readonly #ids = new Set<string>();
  readonly #load: Load;
  #openApi: string | undefined;
  #origins: CorsOrigins;
  readonly #sweeper: NodeJS.Timeout;
  readonly #endListeners = new Set<(exchange: Exchange) => void>();
  #limits: ServerLimits;
  #state: State = 'starting';

  constructor(options: OperationOptions) {
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

  /** Sets limits anew, for requests that come and those that are being answered. Those of connections stay as they are. */
  set limits(limits: OperationOptions['limits']) {
    this.#limits = withLimitDefaults(limits);
  }

  /** Sets what `/openapi.json` answers, which names where clients reach the server. */
  set openApi(document: object | undefined) {
    this.#openApi = document && JSON.stringify(document);
  }

  /** Sets whose scripts may read the answers. */
  set origins(origins: CorsOrigins) {
    this.#origins = origins;
  }

  get metrics(): Metrics | undefined {
    return this.#options.metrics;
  }

  get isDraining(): boolean {
    return this.#state === 'draining';
  }

  /** Requests that are being answered. */
  get exchanges(): ReadonlySet<Exchange> {
    return this.#exchanges;
  }

  /** From now on `/readyz` says that requests are answered. */
  setReady(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }

  /** From now on `/readyz` says that the server goes, and each answer that its connection will close. */
  setDraining(): void {
    this.#state = 'draining';
  }

  /** Calls back when an answer is over. */
  onEnd(listener: (exchange: Exchange) => void): void {
    this.#endListeners.add(listener);
  }

  /** For `onEvent` of the htsget handler. */
  observeEvent(event: HtsgetEvent): void {
    this.#options.metrics?.observeEvent(event);
    this.#options.tracing?.observeEvent(event);
  }

  /** Stops to look at clients, and sends the spans that are left. Ones that nobody takes are told of, and hold nothing up. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    try {
      await this.#options.tracing?.close();
    } catch (error) {
      this.#options.logger.warn(`the last spans could not be sent: ${describeError(error)}`);
    }
  }

  /** Puts all of this around a listener. */
  wrap(listener: Listener): Listener {
    const watched: Listener = (incoming, outgoing) => {
      const exchange = this.#begin(incoming, outgoing);
      const answer = this.#answerOperational(exchange);
      if (answer !== undefined) {
        this.#watch(exchange);
        Promise.resolve(answer).then(
          (known) => sendAnswer(known, outgoing),
          (error: unknown) => this.#fail(exchange, error),
        );
        return;
      }
      // A browser that is refused its question whether it may ask shows scripts nothing of the refusal.
      const isPreflight = incoming.method === 'OPTIONS';
      const reason = isPreflight ? undefined : this.#load.refusal(this.#exchanges.size, this.#limits);
      this.#watch(exchange, reason);
      if (reason !== undefined) this.#refuse(exchange, reason);
      else if (exchange.span === undefined) listener(incoming, outgoing);
      else exchange.span.run(() => listener(incoming, outgoing));
    };
    return limitPipelining(watched, {
      maxCount: () => this.#limits.pipelined,
      onClose: () => this.metrics?.countRefusedConnection(),
    });
  }

  #begin(incoming: IncomingMessage, outgoing: ServerResponse): Exchange {
    const { trustedProxies = 0, tracing } = this.#options;
    const { headers, method = 'GET', socket } = incoming;
    const asked = toRequestId(headers['x-request-id']);
    const id = this.#ids.has(asked) ? toRequestId(undefined) : asked;
    // Whoever is asked in turn, such as a service that authorises, can be told the same id.
    headers['x-request-id'] = id;
    outgoing.setHeader('x-request-id', id);
    if (this.isDraining) outgoing.setHeader('connection', 'close');
    const route = routeOf(incoming.url ?? '');
    const client = clientAddress({
      remoteAddress: socket.remoteAddress,
      forwardedFor: headers['x-forwarded-for'],
      trustedProxies,
    });
    const isTraced = route.owner !== 'operation';
    const span = isTraced ? tracing?.startRequest({ method, route: route.template, headers, client }) : undefined;
    return new Exchange(outgoing, { id, method, route, client, span });
  }

  /** Follows an exchange to its end, whichever that is. */
  #watch(exchange: Exchange, reason?: ShedReason): void {
    const { outgoing, id } = exchange;
    this.#exchanges.add(exchange);
    this.#ids.add(id);
    const { socket } = outgoing.req;
    const end = (): void => {
      // A pipelined answer that waits for its turn is not told that its connection has closed.
      socket.off('close', end);
      if (!this.#exchanges.delete(exchange)) return;
      this.#ids.delete(id);
      this.#tell(exchange, reason);
      for (const listener of this.#endListeners) listener(exchange);
    };
    outgoing.once('close', end);
    socket.once('close', end);
  }

  #tell(exchange: Exchange, reason: ShedReason | undefined): void {
    const { id: requestId, method, route, bytes, client, status, span, outgoing } = exchange;
    const { logger, metrics } = this.#options;
    const { firstByteMilliseconds, milliseconds, object } = exchange;
    const ended: Outcome = outgoing.writableFinished ? 'complete' : exchange.isCutOff ? 'slow' : 'aborted';
    const outcome = reason === undefined ? ended : 'shed';
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

  #refuse({ outgoing, route }: Exchange, reason: ShedReason): void {
    const { authority, metrics } = this.#options;
    const cors = originHeaders(outgoing.req.headers.origin, this.#origins);
    const { retryAfterSeconds } = this.#limits;
    metrics?.countShed(reason);
    sendAnswer(toRefusal({ owner: route.owner, authority, cors, retryAfterSeconds }), outgoing);
  }

  /** What supervisors and people are answered; these paths need no room, and are never shed. */
  #answerOperational({ method, route, outgoing }: Exchange): Answer | Promise<Answer> | undefined {
    if (route.owner !== 'operation' || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const { metrics, isMetricsPath = true } = this.#options;
    switch (route.template) {
      case '/healthz':
        return toTextAnswer(200, 'ok');
      case '/readyz':
        return this.#answerReady();
      case '/metrics':
        return metrics !== undefined && isMetricsPath ? answerMetrics(metrics) : undefined;
      case '/openapi.json':
        if (this.#openApi === undefined) return undefined;
        return toJsonAnswer(this.#openApi, originHeaders(outgoing.req.headers.origin, this.#origins));
      default:
        return undefined;
    }
  }

  #answerReady(): Answer {
    const fault = this.#state === 'ready' ? this.#load.fault(this.#limits) : this.#state;
    return fault === undefined ? toTextAnswer(200, 'ok') : toTextAnswer(503, fault);
  }

  #fail({ outgoing }: Exchange, error: unknown): void {
    this.#options.logger.error(describeError(error));
    sendAnswer(toTextAnswer(500, 'the server failed'), outgoing);
  }

  #sweep(everyMilliseconds: number): void {
    this.#load.sample(everyMilliseconds);
    const now = performance.now();
    for (const exchange of this.#exchanges) {
      if (exchange.isSlow(now, this.#limits)) exchange.cutOff();
    }
  }
}

function toJsonAnswer(body: string, cors: Readonly<Record<string, string>>): Answer {
  return { status: 200, headers: { 'content-type': 'application/json', ...cors }, body };
}

/** All metrics, for Prometheus. */
export async function answerMetrics(metrics: Metrics): Promise<Answer> {
  const body = await metrics.read();
  return { status: 200, headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' }, body };
}
