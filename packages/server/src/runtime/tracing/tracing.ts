import type { IncomingHttpHeaders } from 'node:http';
import type { HtsgetEvent } from '@htskit/htsget';
import type { TracingSection } from '../../operation/tracing-section.js';

/** What is known of a request when it begins. */
export interface TracedRequest {
  readonly method: string;
  readonly route: string;
  /** `traceparent` and `tracestate` among them say what the request is a part of (W3C Trace Context). */
  readonly headers: IncomingHttpHeaders;
  readonly client: string | undefined;
}

/** The span of a request. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs what answers the request; events of that time belong to it. */
  run<Value>(answer: () => Value): Value;
  end(result: SpanResult): void;
}

export interface SpanResult {
  readonly status: number;
  readonly bytes: number;
  readonly object: string | undefined;
}

/** Spans of requests, of the tickets that are planned for them and of the blocks that are sent. */
export interface Tracing {
  startRequest(request: TracedRequest): RequestSpan;
  /** For `onEvent` of the htsget handler. */
  observeEvent(event: HtsgetEvent): void;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

/** What is to be installed beside the server; it is no dependency, since it is larger than all that the server needs. */
const PACKAGES = ['api', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-base'];

const loadOtlp = (): Promise<typeof import('./otlp-tracing.js')> => import('./otlp-tracing.js');

/** Loads OpenTelemetry, which costs nothing where it is not asked for. Throws Error where it is not installed. */
export async function createTracing(section: TracingSection, load: typeof loadOtlp = loadOtlp): Promise<Tracing> {
  try {
    const { createOtlpTracing } = await load();
    return createOtlpTracing(section);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const packages = PACKAGES.map((name) => `@opentelemetry/${name}`).join(' ');
    throw new Error(`tracing needs more packages: npm install ${packages}`, { cause });
  }
}
