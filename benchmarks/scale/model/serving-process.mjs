// A process of `htskit serve`: a main thread, worker threads, and the limits beyond which it refuses requests.
import { MAIN, WORKERS } from './machine.mjs';

/** The main thread works for so long on a response, and then on those that wait. */
const TURN_SECONDS = 0.001;
/** Longer bodies are sent while the rest of them is read. */
const STREAMED_BYTES = 2 ** 20;
/** The costs of a 503: those of a short response. */
const REFUSAL_SECONDS = 0.0001;
/** The parts that may wait for each worker thread. */
const WAITING_PER_THREAD = 64;

/** The defaults of the limits of `htskit serve`. */
export const LIMITS = { concurrency: 256, connections: 4096, storeConcurrency: 128 };

export class ServingProcess {
  /** The most of each that there was at once. */
  peaks = { working: 0, connections: 0, waiting: 0, atStore: 0 };
  busySeconds = { main: 0, workers: 0 };
  reads = 0;
  responses = 0;
  refusals = {};
  /** The parts that may wait for worker threads. */
  maxWaiting;
  #simulation;
  #machine;
  #drawCost;
  #limits;
  #storeSeconds;
  #main;
  #workers;
  #receiver;
  #counts = { working: 0, connections: 0, atStore: 0 };

  /** `receiver` takes the body of a response: the network of the machine, unless the clients run on the machine. */
  constructor(simulation, { machine, threads, drawCost, limits = LIMITS, storeSeconds = 0, receiver = machine }) {
    this.#simulation = simulation;
    this.#machine = machine;
    this.#drawCost = drawCost;
    this.#limits = limits;
    this.#storeSeconds = storeSeconds;
    this.#main = machine.createThreads(MAIN, 1);
    this.#workers = machine.createThreads(WORKERS, threads);
    this.maxWaiting = threads * WAITING_PER_THREAD;
    this.#receiver = receiver;
  }

  /** Calls `done` with whether the request was answered, when its client has the response. */
  answer(kind, done) {
    const cost = this.#drawCost(kind, { isIdle: this.#main.hasIdleThread });
    const reason = this.#refusalOf(cost);
    if (reason !== undefined) return this.#refuse(reason, done);
    this.responses += 1;
    this.#enter('working');
    this.#enter('connections');
    this.#machine.runBeside(cost.others);
    const isStreamed = cost.bytes > STREAMED_BYTES;
    const first = isStreamed ? Math.min(cost.main, TURN_SECONDS) : cost.main / 2;
    this.#onMain(first, () =>
      this.#readStore(cost, () =>
        this.#onWorkers(cost.workers, () => {
          const rest = { ...cost, main: cost.main - first };
          if (isStreamed) this.#sendWhileReading(rest, done);
          else this.#onMain(rest.main, () => this.#send(rest, done));
        }),
      ),
    );
  }

  #refusalOf({ workers, reads }) {
    if (this.#counts.working >= this.#limits.concurrency) return 'concurrency';
    if (this.#counts.connections >= this.#limits.connections) return 'connections';
    if (workers > 0 && this.#workers.waiting >= this.maxWaiting) return 'workers';
    if (reads > 0 && this.#counts.atStore >= this.#limits.storeConcurrency) return 'store';
    return undefined;
  }

  #refuse(reason, done) {
    this.refusals[reason] = (this.refusals[reason] ?? 0) + 1;
    this.#onMain(REFUSAL_SECONDS, () => done(false));
  }

  #readStore({ reads, idle }, next) {
    this.reads += reads;
    if (reads > 0) this.#enter('atStore');
    this.#simulation.schedule(idle + reads * this.#storeSeconds, () => {
      if (reads > 0) this.#counts.atStore -= 1;
      next();
    });
  }

  #onMain(seconds, next) {
    const turn = Math.min(seconds, TURN_SECONDS);
    this.busySeconds.main += turn;
    this.#main.run(turn, () => (seconds > turn ? this.#onMain(seconds - turn, next) : next()));
  }

  #onWorkers(seconds, next) {
    if (seconds === 0) return next();
    this.busySeconds.workers += seconds;
    this.#workers.run(seconds, next);
    this.peaks.waiting = Math.max(this.peaks.waiting, this.#workers.waiting);
  }

  #send(cost, done) {
    this.#counts.working -= 1;
    this.#receiver.send(cost, () => {
      this.#counts.connections -= 1;
      done(true);
    });
  }

  #sendWhileReading(cost, done) {
    let unfinished = 2;
    const finish = () => {
      unfinished -= 1;
      if (unfinished > 0) return;
      this.#counts.connections -= 1;
      done(true);
    };
    this.#onMain(cost.main, () => {
      this.#counts.working -= 1;
      finish();
    });
    this.#receiver.send(cost, finish);
  }

  #enter(what) {
    this.#counts[what] += 1;
    this.peaks[what] = Math.max(this.peaks[what], this.#counts[what]);
  }
}
