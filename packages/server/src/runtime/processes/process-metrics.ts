import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { Metrics, MetricsSnapshot } from '../metrics/metrics.js';

/** A process whose metrics are read. Resolves with undefined if it does not answer. */
export interface MeasuredProcess {
  readMetrics(): Promise<MetricsSnapshot | undefined>;
}

/** Metrics whose value must not fall when a process ends. */
const CUMULATIVE: ReadonlySet<string> = new Set(['counter', 'histogram']);

/** Aggregates the metrics of several processes. Counters keep what ended processes have counted. */
export class ProcessMetrics implements Pick<Metrics, 'read' | 'contentType'> {
  readonly #registry = new Registry();
  readonly #restarts = new Counter({
    name: 'htskit_process_restarts_total',
    help: 'Serving processes that ended unexpectedly and were replaced.',
    registers: [this.#registry],
  });
  /** The processes with their last metrics. */
  readonly #processes = new Map<MeasuredProcess, MetricsSnapshot>();
  #ended: MetricsSnapshot = [];

  constructor() {
    const processes = this.#processes;
    new Gauge({
      name: 'htskit_processes',
      help: 'Serving processes, those that end included.',
      registers: [this.#registry],
      collect() {
        this.set(processes.size);
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  countRestart(): void {
    this.#restarts.inc();
  }

  /** Adds a process that serves. */
  add(measured: MeasuredProcess): void {
    this.#processes.set(measured, []);
  }

  /** Removes a process that ended, with its last metrics if it sent them. */
  async remove(measured: MeasuredProcess, last?: MetricsSnapshot): Promise<void> {
    const counted = last ?? this.#processes.get(measured) ?? [];
    this.#processes.delete(measured);
    this.#ended = cumulative(await aggregate([this.#ended, cumulative(counted)]).getMetricsAsJSON());
  }

  /** Returns the metrics of all processes in the text format of Prometheus. */
  async read(): Promise<string> {
    await Promise.all(
      [...this.#processes.keys()].map(async (measured) => {
        const snapshot = await measured.readMetrics();
        if (snapshot !== undefined && this.#processes.has(measured)) this.#processes.set(measured, snapshot);
      }),
    );
    const own = await this.#registry.getMetricsAsJSON();
    return aggregate([...this.#processes.values(), this.#ended, own]).metrics();
  }
}

function aggregate(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}

function cumulative(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.filter(({ type }) => CUMULATIVE.has(String(type)));
}
