import { AsyncLocalStorage } from 'node:async_hooks';
import type { HtsgetEvent } from '@htskit/htsget';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { TracingSection } from '../../config/sections/operation.js';
import { redact } from '../logger.js';
import type { RequestSpan, SpanResult, TracedRequest, Tracing } from './tracing.js';

/** Spans that the receiver does not accept within this time are dropped. A stopping server waits no longer either. */
const SEND_MILLISECONDS = 2000;

/** Creates tracing over OTLP, or to another `processor`. It leaves the global state of OpenTelemetry alone. */
export function createOtlpTracing(
  { endpoint, serviceName = 'htskit', sampleRatio = 1 }: TracingSection,
  processor: SpanProcessor = new BatchSpanProcessor(
    new OTLPTraceExporter({ url: endpoint, timeoutMillis: SEND_MILLISECONDS }),
  ),
): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('@htskit/server');
  const contexts = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();
  return {
    startRequest(request) {
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      return toRequestSpan(startSpan(tracer, request, parent), contexts);
    },
    observeEvent(event) {
      const context = contexts.getStore();
      const isSpan = event.type === 'ticket' || event.type === 'block';
      if (context !== undefined && isSpan) recordEvent(tracer, event, context);
    },
    close: () => provider.shutdown(),
  };
}

/** Names and attributes follow OpenTelemetry's semantic conventions for HTTP servers, 1.23. */
function startSpan(tracer: Tracer, { method, route, client }: TracedRequest, parent: Context): Span {
  const attributes: Attributes = { 'http.request.method': method, 'http.route': route };
  if (client !== undefined) attributes['client.address'] = client;
  return tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
}

function toRequestSpan(span: Span, contexts: AsyncLocalStorage<Context>): RequestSpan {
  const context = trace.setSpan(ROOT_CONTEXT, span);
  return {
    traceId: span.spanContext().traceId,
    run: (answer) => contexts.run(context, answer),
    end({ status, bytes, object }: SpanResult) {
      span.setAttribute('http.response.status_code', status);
      span.setAttribute('http.response.body.size', bytes);
      if (object !== undefined) span.setAttribute('htskit.object', redact(object));
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** An event arrives at the end of what it describes, with its duration. */
function recordEvent(
  tracer: Tracer,
  event: Extract<HtsgetEvent, { type: 'ticket' | 'block' }>,
  context: Context,
): void {
  const { type, datatype, id, format, plannedBytes, milliseconds } = event;
  const attributes: Attributes = {
    'htskit.object': redact(`${datatype}/${id}`),
    'htskit.format': format,
    'htskit.planned_bytes': plannedBytes,
  };
  if (event.type === 'ticket') attributes['htskit.blocks'] = event.blocks;
  else Object.assign(attributes, { 'htskit.bytes': event.bytes, 'htskit.complete': event.isComplete });
  const end = Date.now();
  const span = tracer.startSpan(`htsget.${type}`, { attributes, startTime: end - milliseconds }, context);
  if (event.type === 'block' && !event.isComplete) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(end);
}
