import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitPipelining } from '../gate/load.js';
import { readMetrics, sendText, type TextResponse, toTextResponse } from '../gate/operational-responses.js';
import type { Metrics } from './metrics.js';

export interface MetricsServer {
  /** The URL of `/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/** The responses on the port for metrics. */
export interface MetricsAnswers {
  readonly metrics: Pick<Metrics, 'read' | 'contentType'>;
  /** Returns the response to `/readyz` for the value of an `Accept` header. */
  readonly readReadiness: (accept: string | undefined) => TextResponse | Promise<TextResponse>;
}

/** Limits for the few clients of the port: scrapers and supervisors. */
const MAX_CONNECTIONS = 16;
const MAX_PIPELINED = 4;

/**
 * Serves `/metrics`, `/healthz` and `/readyz` on a port of its own; 0 takes a free one. Node accepts one connection of each port
 * at a time, so a probe of this port does not wait for the clients of the other one. Throws if the port is in use.
 */
export async function startMetricsServer(
  answers: MetricsAnswers,
  { host = '127.0.0.1', port }: { readonly host?: string; readonly port: number },
): Promise<MetricsServer> {
  const answer: RequestListener = (incoming, outgoing) => {
    answerPath(incoming, answers).then(
      (response) => sendText(response, outgoing),
      () => sendText(toTextResponse(500, 'cannot read the state of the server'), outgoing),
    );
  };
  const server = createServer(limitPipelining(answer, { maxCount: () => MAX_PIPELINED }));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    // A connection that cannot be accepted, for lack of a descriptor, is an error too. It is closed, and the scraper tries again.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  // A server that listens on host and port has an address of this type.
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}/metrics`, close };
}

async function answerPath({ method, url, headers }: IncomingMessage, answers: MetricsAnswers): Promise<TextResponse> {
  const [path = ''] = url?.split('?', 1) ?? [];
  switch (method === 'GET' || method === 'HEAD' ? path : '') {
    case '/metrics':
      return readMetrics(answers.metrics);
    case '/healthz':
      return toTextResponse(200, 'ok');
    case '/readyz':
      return answers.readReadiness(headers.accept);
    default:
      return toTextResponse(404, 'expected /metrics, /healthz or /readyz');
  }
}
