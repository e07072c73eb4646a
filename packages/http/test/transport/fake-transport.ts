import { createTransport, type Fetch, type Transport, type TransportOptions } from '../../src/transport/transport.js';

/** Longer than any delay between attempts. */
const TIMEOUT = 1_000_000;

/** A transport whose delays are over at once, and whose time limits pass when a test says so. */
export class FakeTransport {
  readonly requests: { readonly url: string; readonly init: RequestInit; readonly headers: Headers }[] = [];
  readonly delays: number[] = [];
  readonly limits: number[] = [];
  readonly transport: Transport;
  readonly #running = new Set<() => void>();

  constructor(fetch: Fetch, options: TransportOptions = {}) {
    this.transport = createTransport({
      timeoutMilliseconds: TIMEOUT,
      now: () => Date.parse('2026-01-02T03:04:05Z'),
      random: () => 0,
      sleep: (milliseconds, signal) => this.#sleep(milliseconds, signal),
      fetch: (url, init) => {
        this.requests.push({ url, init, headers: new Headers(init.headers) });
        return fetch(url, init);
      },
      ...options,
    });
  }

  /** Lets the running time limits pass. */
  async expire(): Promise<void> {
    for (const pass of [...this.#running]) pass();
    await new Promise((resolve) => setImmediate(resolve));
  }

  #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      if (milliseconds < TIMEOUT) {
        this.delays.push(milliseconds);
        return resolve();
      }
      this.limits.push(milliseconds);
      const pass = (): void => {
        this.#running.delete(pass);
        resolve();
      };
      this.#running.add(pass);
      signal?.addEventListener('abort', pass);
    });
  }
}

/** A response whose body has these chunks, and then ends, breaks or stalls. */
export function streamed(
  chunks: readonly Uint8Array[],
  { end = 'close', ...init }: ResponseInit & { readonly end?: 'close' | 'break' | 'stall' } = {},
): Response & { readonly isCancelled: () => boolean } {
  const rest = [...chunks];
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = rest.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (end === 'close') controller.close();
        else if (end === 'break') controller.error(new Error('reset'));
        else await new Promise(() => undefined);
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(new Response(body, init), { isCancelled: () => isCancelled });
}
