import { guard } from '../background.js';
import type { CloseOptions } from '../gate/gated-server.js';
import { type TextResponse, toTextResponse } from '../gate/operational-responses.js';
import type { MetricsSnapshot } from '../metrics/metrics.js';
import type { PrimaryMessage, StartMessage, WorkerMessage } from './messages.js';

/** The link of a server to the other processes that serve the same. */
export interface ProcessLink {
  /** Reads the metrics of all processes in the text format of Prometheus. */
  readMetrics(): Promise<string>;
  /** Sets the function that reads the metrics of this process. */
  watchMetrics(read: () => Promise<MetricsSnapshot>): void;
  /** Sets the function that returns the response of this process to `/readyz` for the value of an `Accept` header. */
  watchReadiness(read: (accept: string | undefined) => TextResponse): void;
}

/** The channel of a serving process: `process`, or that of a test. */
export interface Channel {
  send(message: WorkerMessage): void;
  onMessage(listener: (message: PrimaryMessage) => void): void;
}

/** The connection of a serving process to the primary process. */
export class WorkerLink implements ProcessLink {
  /** Resolves with the settings of this process. */
  readonly started: Promise<StartMessage>;
  /** Called for each request to end the process. A process that is being replaced can be asked to end sooner. */
  onClose: (options: CloseOptions) => void = () => undefined;
  readonly #channel: Channel;
  readonly #reads = new Map<number, (text: string | undefined) => void>();
  #readOwn: () => Promise<MetricsSnapshot> = async () => [];
  #readReadiness: (accept: string | undefined) => TextResponse = () => toTextResponse(503, 'starting');
  #nextId = 0;
  #onLastReceived: () => void = () => undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
    this.started = new Promise((resolve) => {
      const receive = (message: PrimaryMessage): unknown => {
        if (message.type === 'start') return resolve(message);
        if (message.type === 'close') return this.onClose(message);
        if (message.type === 'last-received') return this.#onLastReceived();
        if (message.type === 'collect') return this.#sendMetrics(message.id);
        if (message.type === 'check') return this.#sendReadiness(message);
        return this.#reads.get(message.id)?.(message.text);
      };
      // The primary process leaves a process out that does not answer.
      channel.onMessage(guard(receive, () => undefined));
    });
    channel.send({ type: 'hello' });
  }

  /** Reports that the server listens. */
  listening(url: string): void {
    this.#channel.send({ type: 'listening', url });
  }

  /**
   * Sends the last metrics, and resolves when the primary process has them. Messages keep their order, so every connection that it
   * handed over before the server stopped listening has arrived by then, and is handed to another process.
   */
  async end(): Promise<void> {
    const snapshot = await this.#readOwn();
    await new Promise<void>((resolve) => {
      this.#onLastReceived = resolve;
      this.#channel.send({ type: 'last', snapshot });
    });
  }

  async readMetrics(): Promise<string> {
    const id = this.#nextId++;
    const text = await new Promise<string | undefined>((resolve) => {
      this.#reads.set(id, resolve);
      this.#channel.send({ type: 'read-metrics', id });
    });
    this.#reads.delete(id);
    if (text === undefined) throw new Error('cannot read the metrics of the other processes');
    return text;
  }

  watchMetrics(read: () => Promise<MetricsSnapshot>): void {
    this.#readOwn = read;
  }

  watchReadiness(read: (accept: string | undefined) => TextResponse): void {
    this.#readReadiness = read;
  }

  #sendReadiness({ id, accept }: { readonly id: number; readonly accept: string | undefined }): void {
    this.#channel.send({ type: 'readiness', id, response: this.#readReadiness(accept) });
  }

  async #sendMetrics(id: number): Promise<void> {
    this.#channel.send({ type: 'snapshot', id, snapshot: await this.#readOwn() });
  }
}
