import type { TurnScheduler } from '@htskit/io/internal';
import { FairQueue } from '@htskit/io/workers';
import type { InFlightRequest } from './in-flight-request.js';

/**
 * The maximum number of pieces of work that are scheduled at a time. Each has a callback of its own, so that what it awaits without
 * leaving the turn of the event loop is done before the next one. A turn has time for fewer tickets.
 */
const SCHEDULED = 16;

/** Requests that wait until the event loop has time for them. Refusals come first, and then clients take turns. */
export class RequestQueue {
  readonly #turns: Pick<TurnScheduler, 'run'>;
  readonly #refusals: (() => void)[] = [];
  readonly #requests = new FairQueue<() => void>();
  #scheduled = 0;

  constructor(turns: Pick<TurnScheduler, 'run'>) {
    this.#turns = turns;
  }

  /** Calls `answer` when the event loop has time for the request, unless its client has left by then. */
  add(request: Pick<InFlightRequest, 'client' | 'outgoing'>, answer: () => void): void {
    this.#requests.add(request.client ?? '', unlessGone(request, answer));
    this.#schedule();
  }

  /** Calls `refuse` before all answers that wait. */
  addRefusal(request: Pick<InFlightRequest, 'outgoing'>, refuse: () => void): void {
    this.#refusals.push(unlessGone(request, refuse));
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled >= Math.min(SCHEDULED, this.#refusals.length + this.#requests.size)) return;
    this.#scheduled++;
    this.#turns.run(() => {
      this.#scheduled--;
      const work = this.#refusals.shift() ?? this.#requests.take(() => true);
      this.#schedule();
      work?.();
    });
  }
}

function unlessGone({ outgoing }: Pick<InFlightRequest, 'outgoing'>, work: () => void): () => void {
  return () => {
    if (!outgoing.req.socket.destroyed) work();
  };
}
