import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { describeError } from '../../errors.js';
import type { TextResponse } from '../gate/operational-responses.js';
import type { MetricsSnapshot } from '../metrics/metrics.js';
import { HandedConnections } from './handed-connections.js';
import type { PrimaryMessage, StartMessage, WorkerMessage } from './messages.js';
import type { MeasuredProcess } from './process-metrics.js';
import type { ServingProcess } from './supervisor.js';

/** A process that does not answer within this time is left out. */
const ANSWER_MILLISECONDS = 2000;

/** Milliseconds between two checks whether the channel to a process that ended is closed. */
const CHANNEL_MILLISECONDS = 5;

export interface ClusterProcessOptions {
  readonly start: Omit<StartMessage, 'type'>;
  /** Reads the metrics of all processes, for a request to this one. */
  readonly readAllMetrics: () => Promise<string>;
}

/** A message that answers a question of the primary process. */
type Answer = Extract<WorkerMessage, { type: 'snapshot' | 'readiness' }>;

/** A serving process of Node's cluster, as the primary process sees it. */
export class ClusterProcess implements ServingProcess, MeasuredProcess {
  readonly ready: Promise<void>;
  readonly ended: Promise<string>;
  /** The address that the process listens on. */
  url = '';
  /** The metrics that the process sent before it ended. */
  lastMetrics: MetricsSnapshot | undefined;
  readonly #worker: Worker;
  readonly #options: ClusterProcessOptions;
  readonly #questions = new Map<number, (answer: Answer) => void>();
  #nextId = 0;
  #closing: { readonly isReplaced: boolean } | undefined;

  constructor(options: ClusterProcessOptions) {
    this.#options = options;
    const worker = cluster.fork();
    this.#worker = worker;
    const handed = new HandedConnections(worker.process);
    this.ended = untilExit(worker).then(async (reason) => {
      // The last messages may arrive after the exit, but not after the channel is closed. Node emits no event for that while a
      // connection is on its way to the process.
      while (worker.isConnected()) await wait(CHANNEL_MILLISECONDS);
      handed.close();
      return reason;
    });
    this.ready = new Promise((resolve, reject) => {
      void this.ended.then((reason) => reject(new Error(`the process ended (${reason})`)));
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'listening') {
          this.url = message.url;
          resolve();
        } else this.#receive(message);
      });
    });
    // A failure that no caller waits for is not an error of its own.
    this.ready.catch(() => undefined);
  }

  close(options: { readonly isReplaced: boolean }): void {
    this.#closing = options;
    this.#send({ type: 'close', ...options });
  }

  async readMetrics(): Promise<MetricsSnapshot | undefined> {
    const answer = await this.#ask((id) => ({ type: 'collect', id }));
    return answer?.type === 'snapshot' ? answer.snapshot : undefined;
  }

  /** Returns the response of the process to `/readyz`, or undefined if it does not answer. */
  async readReadiness(accept: string | undefined): Promise<TextResponse | undefined> {
    const answer = await this.#ask((id) => ({ type: 'check', id, accept }));
    return answer?.type === 'readiness' ? answer.response : undefined;
  }

  /** Sends a message, and returns the answer with the same id, or undefined if there is none. */
  #ask(toMessage: (id: number) => PrimaryMessage): Promise<Answer | undefined> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const finish = (answer: Answer | undefined): void => {
        clearTimeout(timer);
        this.#questions.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(() => finish(undefined), ANSWER_MILLISECONDS);
      this.#questions.set(id, finish);
      void this.ended.then(() => finish(undefined));
      this.#send(toMessage(id));
    });
  }

  #receive(message: Exclude<WorkerMessage, { type: 'listening' }>): void {
    switch (message.type) {
      case 'hello':
        // What was sent before the process listened to messages is lost.
        this.#send(
          this.#closing === undefined ? { type: 'start', ...this.#options.start } : { type: 'close', ...this.#closing },
        );
        break;
      case 'snapshot':
      case 'readiness':
        this.#questions.get(message.id)?.(message);
        break;
      case 'last':
        this.lastMetrics = message.snapshot;
        this.#send({ type: 'last-received' });
        break;
      case 'read-metrics':
        this.#options.readAllMetrics().then(
          (text) => this.#send({ type: 'metrics', id: message.id, text }),
          () => this.#send({ type: 'metrics', id: message.id, text: undefined }),
        );
    }
  }

  /** Sends a message unless the process is ending. */
  #send(message: PrimaryMessage): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => undefined);
  }
}

/** Resolves with the reason when a process has ended or could not be started. A failure to send to it does not count. */
function untilExit(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number, signal: string | null) => resolve(signal ?? `exit code ${code}`));
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve(describeError(error));
    });
  });
}
