import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitPipelining } from '../gate/load.js';
import { readMetrics, sendText, toTextResponse } from '../gate/operational-responses.js';
import type { Listener } from '../service/retirable-service.js';
import type { Metrics } from './metrics.js';

export interface MetricsServer {
  /** The URL of `/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Limits for the few scrapers of a server. */
const MAX_CONNECTIONS = 16;
const MAX_PIPELINED = 4;

/** Serves `/metrics` on a port of its own; 0 takes a free one. Throws if the port is in use. */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'read' | 'contentType'>,
  { host = '127.0.0.1', port }: { readonly host?: string | undefined; readonly port: number },
): Promise<MetricsServer> {
  const answer: Listener = (incoming, outgoing) => {
    const isRead = incoming.method === 'GET' || incoming.method === 'HEAD';
    if (!isRead || incoming.url?.split('?', 1)[0] !== '/metrics') {
      return sendText(toTextResponse(404, 'metrics are at /metrics'), outgoing);
    }
    readMetrics(metrics).then(
      (response) => sendText(response, outgoing),
      () => sendText(toTextResponse(500, 'cannot read the metrics'), outgoing),
    );
  };
  const server = createServer(limitPipelining(answer, { maxCount: () => MAX_PIPELINED }));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
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
