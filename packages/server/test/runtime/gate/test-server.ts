import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createGatedServer, type GatedServer } from '../../../src/runtime/gate/gated-server.js';
import { RequestGate, type RequestGateOptions, type RoutedListener } from '../../../src/runtime/gate/request-gate.js';
import type { AccessRecord, Logger } from '../../../src/runtime/logger.js';
import { createMetrics, type Metrics } from '../../../src/runtime/metrics/metrics.js';
import type { TlsFiles } from '../../../src/runtime/tls-files.js';

export interface TestServer extends GatedServer {
  readonly gate: RequestGate;
  readonly metrics: Metrics;
  readonly records: AccessRecord[];
  readonly messages: string[];
  readonly port: number;
  readonly url: string;
  /** Resolves with the record of the first request that satisfies a predicate. */
  recorded(isWanted: (record: AccessRecord) => boolean): Promise<AccessRecord>;
  /** Reads the value of a metric. */
  metric(line: string): Promise<number | undefined>;
}

/** Starts a server on a free port that keeps its records and checks its clients every 10 ms. */
export async function startTestServer(
  listener: RoutedListener,
  { tls, ...options }: Partial<RequestGateOptions> & { readonly tls?: TlsFiles } = {},
): Promise<TestServer> {
  const records: AccessRecord[] = [];
  const messages: string[] = [];
  const waiting = new Set<() => void>();
  const tell = (message: string): void => void messages.push(message);
  const logger: Logger = {
    error: tell,
    warn: tell,
    info: tell,
    debug: tell,
    access(record) {
      records.push(record);
      for (const wake of waiting) wake();
    },
  };
  const metrics = createMetrics();
  const gate = new RequestGate({
    logger,
    metrics,
    authority: 'ga4gh',
    openApi: {},
    sweepMilliseconds: 10,
    ...options,
  });
  const { server, drain } = createGatedServer(listener, gate, tls);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate.setReady();
  const { port } = server.address() as AddressInfo;
  return {
    server,
    gate,
    metrics,
    records,
    messages,
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    async drain() {
      await drain();
      await gate.close();
    },
    async recorded(isWanted) {
      for (;;) {
        const found = records.find(isWanted);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    async metric(line) {
      const text = await metrics.read();
      const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
      return found === undefined ? undefined : Number(found.slice(line.length + 1));
    },
  };
}

/** Starts a server as `startTestServer` does, and closes it when the test ends. */
export async function startForTest(...parameters: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...parameters);
  onTestFinished(async () => {
    server.server.closeAllConnections();
    await server.drain();
  });
  return server;
}

/** Counts the sweeps of a gate, which reads the memory once in each. */
export function countSweeps(): { readonly count: () => number; readonly load: { readonly readMemory: () => number } } {
  let count = 0;
  const readMemory = (): number => {
    count++;
    return 0;
  };
  return { count: () => count, load: { readMemory } };
}

/** Opens a connection and sends some text. The response is not read unless the caller listens. */
export async function send(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // The server resets the connection to cut a client off.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Reads until the connection closes. */
export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}
