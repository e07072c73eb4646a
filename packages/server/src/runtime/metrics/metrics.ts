import type { BlockEvent, HtsgetEvent } from '@htskit/htsget';
import type { StoreState } from '@htskit/storage/guard';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ShedReason } from '../gate/load.js';
import type { ConnectionEnd } from '../gate/open-connections.js';
import type { StoresReport } from '../gate/operational-responses.js';
import type { Outcome } from '../logger.js';

/** A finished request. Labels must have few values, so there is no id among them. */
interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly firstByteMilliseconds: number | undefined;
  readonly outcome: Outcome;
}

/** The state of the server when the metrics are read. */
interface ServerState {
  readonly running: number;
  readonly streaming: number;
  readonly connections: number;
}

/** A cache that counts its lookups, such as `BlockCache` of `@htskit/storage`. */
export interface CountingCache {
  readonly hitCount: number;
  readonly missCount: number;
}

/** Why a connection was closed or not accepted. */
export type RefusalReason = ConnectionEnd | 'pipelined' | 'accept';

/** Metrics as JSON. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics {
  readonly contentType: string;
  /** Returns all metrics in the text format of Prometheus. */
  read(): Promise<string>;
  /** Returns the metrics of this process as JSON, to be aggregated with those of others. */
  snapshot(): Promise<MetricsSnapshot>;
  observeRequest(request: ObservedRequest): void;
  /** Observes an `onEvent` event of the htsget handler. */
  observeEvent(event: HtsgetEvent): void;
  countShed(reason: ShedReason): void;
  countLostAuditRecords(count: number): void;
  countRefusedConnection(reason: RefusalReason): void;
  /** Sets the function that reads the state of the server. */
  watchServer(read: () => ServerState): void;
  /** Sets the function that reads the state of the buckets and web servers. */
  watchStores(read: () => StoresReport['stores']): void;
  /** Sets the function that reads whether the audit log cannot be written. */
  watchAudit(read: () => boolean): void;
  /** Adds a cache under a name. */
  watchCache(name: string, cache: CountingCache): void;
}

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Downloads take longer than tickets, hence the longer buckets. */
const DURATION_SECONDS = [...LATENCY_SECONDS, 30, 60, 300, 1800];
const OVER_FETCH = [1, 1.05, 1.1, 1.25, 1.5, 2, 4, 8, 16, 64];

const STORE_STATES: readonly StoreState[] = ['closed', 'half-open', 'open'];

/** Other methods share one label. */
const METHODS = ['GET', 'HEAD', 'POST', 'QUERY', 'OPTIONS'];

/** Creates the metrics of one server and of its process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = createRequestObserver(registry);
  const observeEvent = createEventObserver(registry);
  const shed = counter(registry, 'htskit_http_shed_total', 'Requests refused with 503.', ['reason']);
  const refused = counter(
    registry,
    'htskit_http_refused_connections_total',
    'Connections closed because of too many connections or pipelined requests, or not accepted for lack of a descriptor.',
    ['reason'],
  );
  const lost = counter(registry, 'htskit_audit_lost_records_total', 'Audit records that could not be written.');
  return {
    contentType: registry.contentType,
    read: shareRead(() => registry.metrics()),
    snapshot: () => registry.getMetricsAsJSON(),
    observeRequest: requests,
    observeEvent,
    countShed: (reason) => shed.inc({ reason }),
    countLostAuditRecords: (count) => lost.inc(count),
    countRefusedConnection: (reason) => refused.inc({ reason }),
    watchServer: (read) => watchServer(registry, read),
    watchAudit: (read) =>
      watchNumber(registry, 'htskit_audit_failing', 'Whether the audit log cannot be written.', () => Number(read())),
    watchStores: (read) => watchStores(registry, read),
    watchCache: cacheWatcher(registry),
  };
}

/** Concurrent readers share one result, since rendering takes milliseconds. */
function shareRead(read: () => Promise<string>): () => Promise<string> {
  let running: Promise<string> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function createRequestObserver(registry: Registry): Metrics['observeRequest'] {
  const labels = ['route', 'method'];
  const total = counter(registry, 'htskit_http_requests_total', 'Finished requests.', [...labels, 'status']);
  const bytes = counter(registry, 'htskit_http_response_bytes_total', 'Bytes of response bodies.', ['route']);
  const broken = counter(
    registry,
    'htskit_http_broken_responses_total',
    'Responses that the client aborted, or that were cut off as too slow.',
    ['route', 'outcome'],
  );
  const histogram = (name: string, help: string, buckets: number[]): Histogram =>
    new Histogram({ name, help, labelNames: labels, buckets, registers: [registry] });
  const latency = histogram('htskit_http_first_byte_seconds', 'Time to the first byte of a response.', LATENCY_SECONDS);
  const duration = histogram(
    'htskit_http_request_duration_seconds',
    'Time to the last byte of a response.',
    DURATION_SECONDS,
  );
  return ({ route, status, outcome, milliseconds, firstByteMilliseconds, ...request }) => {
    const method = METHODS.includes(request.method) ? request.method : 'other';
    total.inc({ route, method, status });
    bytes.inc({ route }, request.bytes);
    duration.observe({ route, method }, milliseconds / 1000);
    if (firstByteMilliseconds !== undefined) latency.observe({ route, method }, firstByteMilliseconds / 1000);
    if (outcome === 'aborted' || outcome === 'slow') broken.inc({ route, outcome });
  };
}

function createEventObserver(registry: Registry): Metrics['observeEvent'] {
  const labels = ['datatype', 'format'];
  const planned = counter(registry, 'htskit_htsget_planned_bytes_total', 'Stored bytes that tickets refer to.', labels);
  const tickets = counter(registry, 'htskit_htsget_tickets_total', 'Tickets returned.', labels);
  const streamed = counter(registry, 'htskit_htsget_streamed_bytes_total', 'Bytes of blocks sent.', labels);
  const blocks = counter(registry, 'htskit_htsget_blocks_total', 'Blocks sent, complete or broken off.', [
    ...labels,
    'outcome',
  ]);
  const conversions = createConversionObserver(registry);
  const lookups = counter(registry, 'htskit_cache_lookups_total', 'Cache lookups by outcome.', ['cache', 'outcome']);
  const overFetch = new Histogram({
    name: 'htskit_htsget_over_fetch_ratio',
    help: 'Stored bytes read per byte sent of a block.',
    labelNames: labels,
    buckets: OVER_FETCH,
    registers: [registry],
  });
  return (event) => {
    if (event.type === 'cache') {
      lookups.inc({ cache: event.cache, outcome: event.isHit ? 'hit' : 'miss' });
      return;
    }
    if (event.type === 'access') return;
    const { datatype, format } = event;
    if (event.type === 'ticket') {
      tickets.inc({ datatype, format });
      planned.inc({ datatype, format }, event.plannedBytes);
      return;
    }
    conversions(event);
    const { bytes, isComplete, plannedBytes } = event;
    blocks.inc({ datatype, format, outcome: isComplete ? 'complete' : 'broken' });
    streamed.inc({ datatype, format }, bytes);
    // The size of a conversion says nothing about what is read beyond the records.
    if (isComplete && bytes > 0 && event.convertedFrom === undefined)
      overFetch.observe({ datatype, format }, plannedBytes / bytes);
  };
}

/** Counts the blocks that are converted from another format, and their cost. */
function createConversionObserver(registry: Registry): (event: BlockEvent) => void {
  const labels = ['from', 'format'];
  const blocks = counter(
    registry,
    'htskit_htsget_converted_blocks_total',
    'Converted blocks, complete or broken off.',
    [...labels, 'outcome'],
  );
  const read = counter(registry, 'htskit_htsget_converted_bytes_total', 'Stored bytes of converted blocks.', labels);
  const sent = counter(
    registry,
    'htskit_htsget_conversion_sent_bytes_total',
    'Bytes of converted blocks sent.',
    labels,
  );
  const seconds = counter(registry, 'htskit_htsget_conversion_seconds_total', 'Time to send converted blocks.', labels);
  return ({ convertedFrom: from, format, isComplete, plannedBytes, bytes, milliseconds }) => {
    if (from === undefined) return;
    blocks.inc({ from, format, outcome: isComplete ? 'complete' : 'broken' });
    read.inc({ from, format }, plannedBytes);
    sent.inc({ from, format }, bytes);
    seconds.inc({ from, format }, milliseconds / 1000);
  };
}

function watchServer(registry: Registry, read: () => ServerState): void {
  const gauge = (name: string, help: string, pick: (state: ServerState) => number): void =>
    watchNumber(registry, name, help, () => pick(read()));
  gauge('htskit_http_requests_in_flight', 'Requests in flight.', ({ running }) => running);
  gauge('htskit_http_open_streams', 'Responses that are partly sent.', ({ streaming }) => streaming);
  gauge('htskit_http_connections', 'Open connections.', ({ connections }) => connections);
}

/** Adds a gauge that is read when the metrics are. */
function watchNumber(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function watchStores(registry: Registry, read: () => StoresReport['stores']): void {
  const registers = [registry];
  new Gauge({
    name: 'htskit_store_state',
    help: 'Whether a store is in a state: closed (it responds), open (it does not) or half-open (it is being tested).',
    labelNames: ['store', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { name, state } of read()) {
        for (const each of STORE_STATES) this.set({ store: name, state: each }, each === state ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'htskit_store_waiting_requests',
    help: 'Operations that wait for a store.',
    labelNames: ['store'],
    registers,
    collect() {
      this.reset();
      for (const { name, waitingCount } of read()) this.set({ store: name }, waitingCount);
    },
  });
  new Counter({
    name: 'htskit_store_refused_total',
    help: 'Operations refused because too many wait for the store (busy) or because it does not respond (open).',
    labelNames: ['store', 'reason'],
    registers,
    collect() {
      this.reset();
      for (const { name, refusals } of read()) {
        for (const [reason, count] of Object.entries(refusals)) this.inc({ store: name, reason }, count);
      }
    },
  });
}

/** Exports the counts that caches keep as a counter, which is set anew at each read. */
function cacheWatcher(registry: Registry): Metrics['watchCache'] {
  const caches = new Map<string, CountingCache>();
  let isRegistered = false;
  return (name, cache) => {
    caches.set(name, cache);
    if (isRegistered) return;
    isRegistered = true;
    new Counter({
      name: 'htskit_storage_cache_lookups_total',
      help: 'Lookups of remote blocks in the cache, by outcome.',
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
