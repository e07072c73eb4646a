import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendAnswer, toTextAnswer } from '../gate/send-response.js';
import type { Metrics } from './metrics.js';
import { answerMetrics, type Listener } from '../gate/request-gate.js';
import { limitPipelining } from '../gate/pipelining.js';

export interface MetricsServer {
  /** Of `/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Scrapers of a server, and what each may ask ahead of its answers. */
const MAX_CONNECTIONS = 16;
const MAX_PIPELINED = 4;

/** Answers `/metrics` on a port of its own; 0 takes a free one. Throws where it is taken. */
export async function startMetricsServer(
  metrics: Metrics,
  { host = '127.0.0.1', port }: { readonly host?: string | undefined; readonly port: number },
): Promise<MetricsServer> {
  const answer: Listener = (incoming, outgoing) => {
    const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
    if (!isRead || incoming.url?.split('?', 1)[0] !== '/metrics') {
      return sendAnswer(toTextAnswer(404, 'metrics are at /metrics'), outgoing);
    }
    answerMetrics(metrics).then(
      (known) => sendAnswer(known, outgoing),
      () => sendAnswer(toTextAnswer(500, 'the metrics cannot be read'), outgoing),
    );
  };
  const server = createServer(limitPipelining(answer, { maxCount: () => MAX_PIPELINED }));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A server that listens on host and port has an address of this type.
  const { address, family, port: taken } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`, close };
}
