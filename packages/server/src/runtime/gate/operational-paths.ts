import { type CorsOrigins, originHeaders } from '../cors.js';
import type { Metrics } from '../metrics/metrics.js';
import type { RequestRoute } from '../request-route.js';
import {
  readMetrics,
  type StoresReport,
  type TextResponse,
  toJsonResponse,
  toReadyResponse,
  toTextResponse,
} from './operational-responses.js';

/** Supervisors request these all the time, so that only failures are logged. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** The settings of the operational paths. */
export interface OperationalOptions {
  readonly metrics?: Metrics;
  /** Whether `/metrics` is a path of this server. Default: whether there are metrics. */
  readonly isMetricsPath?: boolean;
  /** The document that `/openapi.json` returns. Without it, that path is passed to the listener. */
  readonly openApi?: object;
}

/** The part of a request that the responses depend on. */
interface OperationalRequest {
  readonly method: string;
  readonly route: RequestRoute;
  readonly headers: { readonly accept?: string | undefined; readonly origin?: string | undefined };
}

/** The state that the responses depend on. */
interface OperationalState {
  readonly origins: CorsOrigins;
  /** Which limit of load is exceeded. */
  readonly fault: string | undefined;
}

/** Answers probes, `/metrics` and `/openapi.json`, which are never shed. */
export class OperationalPaths {
  state: 'starting' | 'ready' | 'draining' = 'starting';
  /** The JSON that `/openapi.json` returns. */
  openApi: string | undefined;
  /** Reads the state of the stores. */
  readStores: () => StoresReport = () => ({ stores: [], hasLocal: true });
  readonly #metrics: Metrics | undefined;
  readonly #isMetricsPath: boolean;

  constructor({ metrics, isMetricsPath = true, openApi }: OperationalOptions) {
    this.#metrics = metrics;
    this.#isMetricsPath = isMetricsPath;
    this.openApi = openApi && JSON.stringify(openApi);
  }

  /** Returns the response to `/readyz`. */
  readiness({ fault }: Pick<OperationalState, 'fault'>, accept: string | undefined): TextResponse {
    return toReadyResponse(this.state === 'ready' ? fault : this.state, this.readStores(), accept);
  }

  /** Returns undefined for every other request. */
  answer(
    { method, route, headers }: OperationalRequest,
    gate: OperationalState,
  ): TextResponse | Promise<TextResponse> | undefined {
    if (route.owner !== 'operation' || (method !== 'GET' && method !== 'HEAD')) return undefined;
    switch (route.template) {
      case '/healthz':
        return toTextResponse(200, 'ok');
      case '/readyz':
        return this.readiness(gate, headers.accept);
      case '/metrics':
        return this.#metrics !== undefined && this.#isMetricsPath ? readMetrics(this.#metrics) : undefined;
      case '/openapi.json':
        if (this.openApi === undefined) return undefined;
        return toJsonResponse(this.openApi, originHeaders(headers.origin, gate.origins));
      default:
        return undefined;
    }
  }
}
