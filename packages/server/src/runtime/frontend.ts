import type { DrsEvent } from '@htskit/drs';
import { DEFAULT_LIMITS } from '@htskit/htsget';
import { COLLECTION_BODY_BYTES } from '../config/sections/limits.js';
import type { MetricsSection, TlsSection, TracingSection } from '../config/sections/operation.js';
import { PACKAGE_VERSION } from '../package-version.js';
import { type AuditedAccess, AuditLog, type AuditSettings } from './audit/audit-log.js';
import type { Decisions } from './audit/decisions.js';
import { openAuditDestination } from './audit/open-destination.js';
import { type CloseOptions, createGatedServer, type GatedHttpServer } from './gate/gated-server.js';
import { RequestGate, type RequestGateOptions, type RoutedListener } from './gate/request-gate.js';
import type { Logger } from './logger.js';
import { type CountingCache, createMetrics, type Metrics } from './metrics/metrics.js';
import { startMetricsServer } from './metrics/metrics-server.js';
import { createOpenApi, type OpenApiOptions } from './openapi/document.js';
import type { ProcessLink } from './processes/worker-link.js';
import type { RequestRoute } from './request-route.js';
import type { ServerLimits } from './server-limits.js';
import type { ProtocolOptions } from './service/handlers.js';
import { TlsFiles } from './tls-files.js';
import { createTracing } from './tracing/create-tracing.js';

/** Settings of everything between the socket and the protocols. */
export interface FrontendOptions extends Pick<ProtocolOptions, 'authority' | 'htsget' | 'origins' | 'refget'> {
  /** Receives messages for the operator. */
  readonly log: (message: string) => void;
  /** Receives these messages in place of `log`, with their levels, and the access records. */
  readonly logger?: Logger;
  readonly metrics?: MetricsSection;
  readonly tracing?: TracingSection;
  readonly tls?: TlsSection;
  /** The number of proxies before the server whose X-Forwarded-For is trusted. Default 0. */
  readonly trustedProxies?: number;
  /** The record of each access to an object. Default: none. */
  readonly audit?: AuditSettings;
  /** The decisions about requests, which audit records name. */
  readonly decisions?: Decisions | undefined;
  /** The other processes that serve the same, which share the port for metrics. */
  readonly link?: ProcessLink;
  readonly serverLimits?: { readonly [Key in keyof ServerLimits]?: number } | undefined;
}

/** An HTTP server that is not listening yet, with its gate, metrics, traces and certificate. */
export interface Frontend {
  readonly server: GatedHttpServer;
  readonly scheme: 'http' | 'https';
  readonly observeEvent: RequestGate['observeEvent'];
  readonly observeDrsEvent: (event: DrsEvent) => void;
  readonly clientOf: RequestGate['clientOf'];
  /** Adds a cache to the metrics. */
  watchCache(name: string, cache: CountingCache): void;
  /** Adds the stores to the metrics and to `/readyz`. */
  watchStores: RequestGate['watchStores'];
  setReady(): void;
  /** Updates the OpenAPI document. */
  describe(options: Pick<OpenApiOptions, 'authority' | 'publicUrl' | 'features'>): void;
  /** Applies the options that can change while the server runs: limits, origins and the content of the TLS files. */
  reload(options: FrontendOptions): Promise<void>;
  /** Stops listening and lets running responses end. */
  close(options?: CloseOptions): Promise<void>;
}

/** Creates the server. Throws if a certificate cannot be read, the port for metrics is in use, or a package is missing. */
export async function openFrontend(options: FrontendOptions, listener: RoutedListener): Promise<Frontend> {
  const { metrics: metricsSection = {}, log, authority, trustedProxies, origins, serverLimits: limits } = options;
  const tls = options.tls && (await TlsFiles.open(options.tls, { log }));
  const closers: (() => Promise<void> | void)[] = [() => tls?.close()];
  try {
    const tracing = options.tracing && (await createTracing(options.tracing));
    const metrics = metricsSection.enabled === false ? undefined : createLinkedMetrics(options.link);
    const isMetricsPath = metrics !== undefined && metricsSection.port === undefined;
    const logger = options.logger ?? toLogger(log);
    const observers = { logger, metrics, isMetricsPath, tracing };
    const bodyBytes = toBodyBytes(options);
    let audit: AuditLog | undefined;
    const refusal: RequestGateOptions['refusal'] = (route) =>
      isAudited(route) && audit?.refusesRequests === true ? 'audit' : undefined;
    const gate = new RequestGate({ ...observers, limits, bodyBytes, authority, trustedProxies, origins, refusal });
    closers.push(() => gate.close());
    options.link?.watchReadiness(gate.readReadiness);
    if (metrics !== undefined && metricsSection.port !== undefined && options.link === undefined) {
      const address = { host: metricsSection.host, port: metricsSection.port };
      const metricsServer = await startMetricsServer({ metrics, readReadiness: gate.readReadiness }, address);
      closers.push(async () => metricsServer.close());
      options.logger?.info(`metrics are at ${metricsServer.url}`);
    }
    const { server, drain } = createGatedServer(listener, gate, tls);
    let closing: Promise<void> | undefined;
    audit = openAuditLog(options, { logger, metrics, gate });
    metrics?.watchAudit(() => audit?.isFailing === true);
    closers.push(() => audit?.close());
    return {
      server,
      scheme: tls === undefined ? 'http' : 'https',
      observeEvent: (event) => {
        gate.observeEvent(event);
        if (event.type === 'access') audit?.record(event);
      },
      observeDrsEvent: (event) => audit?.record(toAccessEvent(event)),
      clientOf: (request) => gate.clientOf(request),
      watchCache: (name, cache) => metrics?.watchCache(name, cache),
      watchStores: (read) => gate.watchStores(read),
      setReady: () => gate.setReady(),
      describe: (service) => {
        gate.openApi = createOpenApi({ ...service, version: PACKAGE_VERSION, isMetricsPath });
      },
      reload: async (next) => {
        // Opened again, since a log that is rotated has another file.
        const replaced = audit;
        audit = openAuditLog(next, { logger, metrics, gate });
        await replaced?.close();
        gate.limits = next.serverLimits;
        gate.bodyBytes = toBodyBytes(next);
        gate.origins = next.origins ?? '*';
        await tls?.reload();
      },
      close: async (closeOptions) => {
        const drained = drain(closeOptions);
        closing ??= drained.then(async () => closeAll(closers));
        await closing;
      },
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Returns the access event of a file. Its object is the file, since a description does not belong to a protocol. */
function toAccessEvent({ id, ...event }: DrsEvent): AuditedAccess {
  return { ...event, object: { datatype: 'files', id }, format: undefined, regions: undefined };
}

interface AuditContext {
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly gate: RequestGate;
}

function openAuditLog(
  { audit, decisions }: FrontendOptions,
  { logger, metrics, gate }: AuditContext,
): AuditLog | undefined {
  if (audit === undefined) return undefined;
  decisions?.follow(({ headers }, requester) => gate.find(headers.get('x-request-id') ?? '')?.identify(requester));
  return new AuditLog(openAuditDestination(audit), {
    whenFull: audit.whenFull ?? (audit.file === undefined ? 'drop' : 'refuse'),
    requesterOf: (requestId) => gate.find(requestId)?.requester,
    log: (message) => logger.error(message),
    onLost: (count) => metrics?.countLostAuditRecords(count),
  });
}

/** Whether a request has an audit record. */
function isAudited(route: RequestRoute): boolean {
  if (route.owner === 'coverage' || route.owner === 'drs') return route.path.kind !== 'unknown';
  return route.owner === 'htsget' && (route.path.kind === 'ticket' || route.path.kind === 'block');
}

/** Returns the maximum number of bytes of a body that a handler accepts. */
function toBodyBytes({ htsget, refget }: FrontendOptions): number {
  return Math.max(
    htsget?.limits?.postBodyBytes ?? DEFAULT_LIMITS.postBodyBytes,
    refget?.limits?.collectionBodyBytes ?? COLLECTION_BODY_BYTES,
  );
}

/** Creates the metrics of this process. With a link, what is read are the metrics of all processes. */
function createLinkedMetrics(link: ProcessLink | undefined): Metrics {
  const metrics = createMetrics();
  if (link === undefined) return metrics;
  link.watchMetrics(() => metrics.snapshot());
  return { ...metrics, read: () => link.readMetrics() };
}

async function closeAll(closers: readonly (() => Promise<void> | void)[]): Promise<void> {
  await Promise.all(closers.map(async (close) => close()));
}

/** Passes messages of all levels but `debug` to a function, and drops access records. */
function toLogger(log: (message: string) => void): Logger {
  return { error: log, warn: log, info: log, debug: () => undefined, access: () => undefined };
}
