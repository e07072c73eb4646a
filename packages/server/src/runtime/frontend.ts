import type { Server } from 'node:http';
import type { Authority } from '@htskit/protocol';
import type { CorsOrigins } from './service/cors.js';
import type { ServerLimits } from './server-limits.js';
import type { Logger } from './logging/logger.js';
import { type CountingCache, createMetrics, type Metrics } from './metrics/metrics.js';
import type { MetricsSection } from '../operation/metrics-section.js';
import { type MetricsServer, startMetricsServer } from './metrics/metrics-server.js';
import { createOpenApi } from './openapi/document.js';
import { type Listener, Operation } from './gate/request-gate.js';
import { createOperationServer } from './gate/gated-server.js';
import { TlsFiles } from './tls-files.js';
import type { TlsSection } from '../config/sections/listen.js';
import { createTracing } from './tracing/tracing.js';
import type { TracingSection } from '../operation/tracing-section.js';
import { PACKAGE_VERSION } from '../package-version.js';

/** How a server is run. */
export interface RunOptions {
  readonly authority: Authority;
  /** Told, for people, of what goes wrong. */
  readonly log: (message: string) => void;
  /** Told of that, and of requests, in place of `log`. */
  readonly logger?: Logger | undefined;
  readonly metrics?: MetricsSection | undefined;
  readonly tracing?: TracingSection | undefined;
  readonly tls?: TlsSection | undefined;
  /** Proxies in front whose X-Forwarded-For is believed. Default 0. */
  readonly trustedProxies?: number | undefined;
  /** Whose scripts may read the answers. Default: everybody's. */
  readonly origins?: CorsOrigins | undefined;
  readonly serverLimits?: { readonly [Key in keyof ServerLimits]?: number | undefined } | undefined;
}

/** A server, not listening yet, and what watches over it. */
export interface ServeOperation {
  readonly server: Server;
  readonly scheme: 'http' | 'https';
  readonly observeEvent: Operation['observeEvent'];
  /** Counts what is found in a cache. */
  watchCache(name: string, cache: CountingCache): void;
  setReady(): void;
  /** Sets what the document of the paths says. */
  describe(options: Pick<RunOptions, 'authority'> & { readonly publicUrl: string }): void;
  /** Takes what can change while the server runs: its limits, and what the files of the certificate hold. */
  reload(options: RunOptions): Promise<void>;
  /** Stops to listen, and lets running answers end. */
  close(): Promise<void>;
}

/** Makes the server. Throws where a certificate cannot be read, where a port for metrics is taken, or a package is missing. */
export async function openOperation(options: RunOptions, listener: Listener): Promise<ServeOperation> {
  const { metrics: metricsSection = {}, log, authority, trustedProxies, origins, serverLimits: limits } = options;
  const tls = options.tls && (await TlsFiles.open(options.tls, { log }));
  const closers: (() => Promise<void> | void)[] = [() => tls?.close()];
  try {
    const tracing = options.tracing && (await createTracing(options.tracing));
    const metrics = metricsSection.enabled === false ? undefined : createMetrics();
    const metricsServer = await openMetricsServer(metrics, metricsSection);
    closers.push(async () => metricsServer?.close());
    if (metricsServer !== undefined) options.logger?.info(`metrics are at ${metricsServer.url}`);
    const isMetricsPath = metrics !== undefined && metricsServer === undefined;
    const logger = options.logger ?? toLogger(log);
    const watched = { logger, metrics, isMetricsPath, tracing, limits };
    const operation = new Operation({ ...watched, authority, trustedProxies, origins });
    closers.push(() => operation.close());
    const { server, drain } = createOperationServer(listener, operation, tls);
    return {
      server,
      scheme: tls === undefined ? 'http' : 'https',
      observeEvent: (event) => operation.observeEvent(event),
      watchCache: (name, cache) => metrics?.watchCache(name, cache),
      setReady: () => operation.setReady(),
      describe: (service) => {
        operation.openApi = createOpenApi({ ...service, version: PACKAGE_VERSION, isMetricsPath });
      },
      reload: async (next) => {
        operation.limits = next.serverLimits;
        operation.origins = next.origins ?? '*';
        await tls?.reload();
      },
      close: async () => {
        await drain();
        await closeAll(closers);
      },
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function openMetricsServer(
  metrics: Metrics | undefined,
  { host, port }: MetricsSection,
): Promise<MetricsServer | undefined> {
  return metrics === undefined || port === undefined ? undefined : startMetricsServer(metrics, { host, port });
}

async function closeAll(closers: readonly (() => Promise<void> | void)[]): Promise<void> {
  await Promise.all(closers.map(async (close) => close()));
}

/** Messages of all levels for whoever is told of what goes wrong; requests are no matter of theirs. */
function toLogger(log: (message: string) => void): Logger {
  return { error: log, warn: log, info: log, debug: () => undefined, access: () => undefined };
}
