import type { IncomingHttpHeaders } from 'node:http';
import type { HtsgetEvent } from '@htskit/htsget';

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
