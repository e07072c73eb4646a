import { randomBytes } from 'node:crypto';
import { describeError } from '../../errors.js';
import { guard } from '../../runtime/background.js';
import { ReloadableLogger } from '../../runtime/logger.js';
import { startMetricsServer } from '../../runtime/metrics/metrics-server.js';
import { ClusterProcess } from '../../runtime/processes/cluster-process.js';
import { ProcessMetrics } from '../../runtime/processes/process-metrics.js';
import { readAnyReadiness } from '../../runtime/processes/readiness.js';
import { Supervisor } from '../../runtime/processes/supervisor.js';
import type { LoadedOptions, ServeArguments } from './load-options.js';
import { endOnSignal, logCrash, logWarnings, reloadOnSignal } from './signals.js';

/** Settings that a reload does not change while the same processes share an address. */
const FIXED_SETTINGS = ['host', 'port', 'metrics'] as const;

interface FirstConfig {
  readonly options: LoadedOptions;
  readonly text: string | undefined;
}

/**
 * Serves in several processes, which Node's cluster module distributes connections to. This process serves nothing itself: it
 * starts, replaces and ends the others, and aggregates their metrics.
 */
export async function runPrimary(command: ServeArguments, first: FirstConfig): Promise<void> {
  const { processes: count, serve, logSection } = first.options;
  const { host, port } = serve;
  const logger = new ReloadableLogger(logSection);
  logWarnings(logger);
  logCrash(logger);
  const metrics = new ProcessMetrics();
  const serving = new Set<ClusterProcess>();
  const key = randomBytes(32).toString('base64');
  let configText = first.text;
  let url = '';
  let listenPort = port;
  const start = ({ isFirst }: { readonly isFirst: boolean }): ClusterProcess => {
    // Port 0 is one port for all processes until the last of them ends. The next one must listen where clients know the service.
    if (serving.size === 0 && url !== '') listenPort = Number(new URL(url).port || port);
    const started = new ClusterProcess({
      start: { key, configText, host, port: listenPort, count, isFirst },
      readAllMetrics: () => metrics.read(),
    });
    void started.ready.then(
      () => {
        url = started.url;
        metrics.add(started);
        serving.add(started);
      },
      () => undefined,
    );
    void started.ended.then(
      guard(
        () => {
          serving.delete(started);
          return metrics.remove(started, started.lastMetrics);
        },
        (error) => logger.error(`cannot keep the metrics of a process that ended: ${describeError(error)}`),
      ),
    );
    return started;
  };
  const log = (message: string): void => logger.error(message);
  const supervisor = new Supervisor({ count, start, log, onRestart: () => metrics.countRestart() });
  const { enabled = true, port: metricsPort, host: metricsHost } = serve.metrics ?? {};
  const hasMetricsServer = enabled && metricsPort !== undefined;
  const metricsServer = hasMetricsServer
    ? await startMetricsServer(
        { metrics, readReadiness: (accept) => readAnyReadiness(serving, accept) },
        { host: metricsHost, port: metricsPort },
      )
    : undefined;
  if (metricsServer !== undefined) logger.info(`metrics are at ${metricsServer.url}`);
  try {
    await supervisor.start();
  } catch {
    // The process has printed why it cannot serve.
    process.exit(1);
  }
  const reload = async (options: LoadedOptions, text: string | undefined): Promise<void> => {
    const previous = configText;
    configText = text;
    try {
      await supervisor.replaceAll();
    } catch (error) {
      configText = previous;
      throw error;
    }
    logger.reload(options.logSection);
    const changed: string[] = FIXED_SETTINGS.filter(
      (name) => JSON.stringify(options.serve[name]) !== JSON.stringify(serve[name]),
    );
    if (options.processes !== count) changed.push('processes');
    if (changed.length > 0) logger.warn(`these settings change only with a restart: ${changed.join(', ')}`);
  };
  if (command.flags.config !== undefined) reloadOnSignal({ command, current: first.options, reload, logger });
  endOnSignal(async () => {
    await supervisor.close();
    await metricsServer?.close();
  }, logger);
  process.stdout.write(`listening on ${url}\n`);
}
