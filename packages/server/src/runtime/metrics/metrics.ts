import type { HtsgetEvent } from '@htskit/htsget';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Outcome } from '../logging/access-record.js';
import type { ShedReason } from '../gate/load.js';

/** A request that is over. Labels have few values: no id is among them. */
interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly firstByteMilliseconds: number | undefined;
  readonly outcome: Outcome;
}

/** What is so at the moment that the metrics are read. */
interface ServerState {
  readonly running: number;
  readonly streaming: number;
  readonly connections: number;
}

/** A cache that counts by itself, such as the one for blocks of `@htskit/storage`. */
export interface CountingCache {
  readonly hitCount: number;
  readonly missCount: number;
}

export interface Metrics {
  readonly contentType: string;
  /** All metrics in Prometheus' text format. */
  read(): Promise<string>;
  observeRequest(request: ObservedRequest): void;
  /** For `onEvent` of the htsget handler. */
  observeEvent(event: HtsgetEvent): void;
  countShed(reason: ShedReason): void;
  countRefusedConnection(): void;
  /** Says where to learn what is so at a moment. */
  watchServer(read: () => ServerState): void;
  /** Adds a cache that counts by itself. */
  watchCache(name: string, cache: CountingCache): void;
}

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Downloads take longer than tickets. */
const DURATION_SECONDS = [...LATENCY_SECONDS, 30, 60, 300, 1800];
const OVER_FETCH = [1, 1.05, 1.1, 1.25, 1.5, 2, 4, 8, 16, 64];

/** Methods that are told apart. */
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** Metrics of one server, and of its process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = requestMetrics(registry);
  const observeEvent = eventMetrics(registry);
  const shed = counter(registry, 'htskit_http_shed_total', 'Requests that were told to come again.', ['reason']);
  const refused = counter(
    registry,
    'htskit_http_refused_connections_total',
    'Connections closed: too many, or too many requests ahead.',
  );
  return {
    contentType: registry.contentType,
    read: shareRead(() => registry.metrics()),
    observeRequest: requests,
    observeEvent,
    countShed: (reason) => shed.inc({ reason }),
    countRefusedConnection: () => refused.inc(),
    watchServer: (read) => watchServer(registry, read),
    watchCache: cacheWatcher(registry),
  };
}

/** Those who ask while it is being read get the same text: many requests may come at once, and rendering takes milliseconds. */
function shareRead(read: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function requestMetrics(registry: Registry): Metrics['observeRequest'] {
  const registers = [registry];
  const labels = ['route', 'method'];
  const total = counter(registry, 'htskit_http_requests_total', 'Requests that are over.', [...labels, 'status']);
  const bytes = counter(registry, 'htskit_http_response_bytes_total', 'Bytes of bodies that were sent.', ['route']);
  const broken = counter(
    registry,
    'htskit_http_broken_responses_total',
    'Answers that the client left, or was cut off.',
    ['route', 'outcome'],
  );
  const latency = new Histogram({
    name: 'htskit_http_first_byte_seconds',
    help: 'Time until the first byte of an answer.',
    labelNames: labels,
    buckets: LATENCY_SECONDS,
    registers,
  });
  const duration = new Histogram({
    name: 'htskit_http_request_duration_seconds',
    help: 'Time until the last byte of an answer.',
    labelNames: labels,
    buckets: DURATION_SECONDS,
    registers,
  });
  return ({ route, status, outcome, milliseconds, firstByteMilliseconds, ...request }) => {
    const method = METHODS.includes(request.method) ? request.method : 'other';
    total.inc({ route, method, status });
    bytes.inc({ route }, request.bytes);
    duration.observe({ route, method }, milliseconds / 1000);
    if (firstByteMilliseconds !== undefined) latency.observe({ route, method }, firstByteMilliseconds / 1000);
    if (outcome === 'aborted' || outcome === 'slow') broken.inc({ route, outcome });
  };
}

function eventMetrics(registry: Registry): Metrics['observeEvent'] {
  const labels = ['datatype', 'format'];
  const planned = counter(registry, 'htskit_htsget_planned_bytes_total', 'Stored bytes behind tickets.', labels);
  const tickets = counter(registry, 'htskit_htsget_tickets_total', 'Tickets that were answered.', labels);
  const streamed = counter(registry, 'htskit_htsget_streamed_bytes_total', 'Bytes of blocks that were sent.', labels);
  const blocks = counter(registry, 'htskit_htsget_blocks_total', 'Blocks that were sent, or broken off.', [
    ...labels,
    'outcome',
  ]);
  const lookups = counter(registry, 'htskit_cache_lookups_total', 'Values found in caches, or not.', [
    'cache',
    'outcome',
  ]);
  const overFetch = new Histogram({
    name: 'htskit_htsget_over_fetch_ratio',
    help: 'Stored bytes behind a block, for each byte that was sent of it.',
    labelNames: labels,
    buckets: OVER_FETCH,
    registers: [registry],
  });
  return (event) => {
    if (event.type === 'cache') {
      lookups.inc({ cache: event.cache, outcome: event.isHit ? 'hit' : 'miss' });
      return;
    }
    const { datatype, format } = event;
    if (event.type === 'ticket') {
      tickets.inc({ datatype, format });
      planned.inc({ datatype, format }, event.plannedBytes);
      return;
    }
    const { bytes, isComplete, plannedBytes } = event;
    blocks.inc({ datatype, format, outcome: isComplete ? 'complete' : 'broken' });
    streamed.inc({ datatype, format }, bytes);
    if (isComplete && bytes > 0) overFetch.observe({ datatype, format }, plannedBytes / bytes);
  };
}

function watchServer(registry: Registry, read: () => ServerState): void {
  const gauge = (name: string, help: string, pick: (state: ServerState) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(pick(read()));
      },
    });
  };
  gauge('htskit_http_requests_in_flight', 'Requests that are being answered.', ({ running }) => running);
  gauge('htskit_http_open_streams', 'Answers of which a part is sent.', ({ streaming }) => streaming);
  gauge('htskit_http_connections', 'Open connections.', ({ connections }) => connections);
}

/** Caches that count by themselves, as gauges would lose what they counted; a counter's value is theirs. */
function cacheWatcher(registry: Registry): Metrics['watchCache'] {
  const caches = new Map<string, CountingCache>();
  let isRegistered = false;
  return (name, cache) => {
    caches.set(name, cache);
    if (isRegistered) return;
    isRegistered = true;
    new Counter({
      name: 'htskit_storage_cache_lookups_total',
      help: 'Blocks of stored objects found in caches, or not.',
      labelNames: ['cache', 'outcome'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [label, { hitCount, missCount }] of caches) {
          this.inc({ cache: label, outcome: 'hit' }, hitCount);
          this.inc({ cache: label, outcome: 'miss' }, missCount);
        }
      },
    });
  };
}

function counter(registry: Registry, name: string, help: string, labelNames: readonly string[] = []): Counter {
  return new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
}
