import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectSlowly } from '@htskit/testing';
import { onTestFinished } from 'vitest';

/** The origin of a server that listens until the test ends. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that keeps what it is asked. */
export interface RecordingServer {
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
}

/** Answers with what the function of a path does; `count` is 0 for the first request of that path. */
export type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export async function serve(answers: Readonly<Record<string, Answer>>): Promise<RecordingServer> {
  const requests: IncomingMessage[] = [];
  const counts = new Map<string, number>();
  const origin = await listen((request, response) => {
    const path = request.url ?? '';
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    requests.push(request);
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response, count);
  });
  return { origin, requests };
}

/** All bytes of a stream, as a slow consumer reads them. */
export async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await collectSlowly(stream));
}

/** Options with which delays between attempts are over at once and time limits never pass. */
export const withoutDelays = {
  timeoutMilliseconds: 60_000,
  sleep: (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    milliseconds === 60_000
      ? new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
      : Promise.resolve(),
};
