import type { IncomingHttpHeaders } from 'node:http';
import type { HtsgetEvent } from '@htskit/htsget';
import type { TracingSection } from '../../config/sections/operation.js';

/** The properties of a request that a span begins with. */
export interface TracedRequest {
  readonly method: string;
  readonly route: string;
  /** `traceparent` and `tracestate` identify the parent span (W3C Trace Context). */
  readonly headers: IncomingHttpHeaders;
  readonly client: string | undefined;
}

/** The span of a request. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs a function in the context of the span, so that events during it belong to the span. */
  run<Value>(answer: () => Value): Value;
  end(result: SpanResult): void;
}

export interface SpanResult {
  readonly status: number;
  readonly bytes: number;
  readonly object: string | undefined;
}

/** Traces requests, and the tickets and blocks within them. */
export interface Tracing {
  startRequest(request: TracedRequest): RequestSpan;
  /** Observes an `onEvent` event of the htsget handler. */
  observeEvent(event: HtsgetEvent): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** The packages to install beside the server. They are optional because they are larger than everything else it needs. */
const PACKAGES = ['api', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-base'];

/**
 * Loads the tracing over OTLP. Its type is written out: the types of OpenTelemetry must not be part of the package's own, since
 * they need not be installed.
 */
type LoadOtlp = () => Promise<{ readonly createOtlpTracing: (section: TracingSection) => Tracing }>;

const loadOtlp: LoadOtlp = () => import('./otlp-tracing.js');

/** Creates the tracing, and loads OpenTelemetry only then. Throws Error if it is not installed. */
export async function createTracing(section: TracingSection, load: LoadOtlp = loadOtlp): Promise<Tracing> {
  try {
    const { createOtlpTracing } = await load();
    return createOtlpTracing(section);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const packages = PACKAGES.map((name) => `@opentelemetry/${name}`).join(' ');
    throw new Error(`tracing needs optional packages: npm install ${packages}`, { cause });
  }
}
