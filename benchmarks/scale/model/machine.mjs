// A machine with processors, a network and processes of `htskit serve`.
import { SharedResource } from './shared-resource.mjs';
import { ThreadPool } from './thread-pool.mjs';

/** The classes of threads. */
export const MAIN = 0;
export const WORKERS = 1;
/** The weights of the kernel for niceness 0, and for 10, which is that of workers (sched_prio_to_weight). */
const CLASSES = [
  { weight: 1024, cap: 1 },
  { weight: 110, cap: 1 },
];
const BYTES_PER_GIGABIT = 1e9 / 8;

export class Machine {
  #network;

  /** `gigabits` is the bandwidth of the machine, and `clientMegabits` that of the link of each client. */
  constructor(simulation, { cores, gigabits, clientMegabits }) {
    this.processors = new SharedResource(simulation, { capacity: cores, classes: CLASSES });
    const link = { weight: 1, cap: (clientMegabits / 1000) * BYTES_PER_GIGABIT };
    this.#network = new SharedResource(simulation, { capacity: gigabits * BYTES_PER_GIGABIT, classes: [link] });
  }

  /** Calls `done` when a client has received so many bytes. */
  send({ bytes }, done) {
    this.#network.add(0, bytes, done);
  }

  /** Returns the bytes that were sent. */
  sentBytes() {
    return this.#network.served();
  }

  /** Uses the processors without anybody waiting for it, as the collection of garbage does. */
  runBeside(seconds) {
    if (seconds > 0) this.processors.add(MAIN, seconds, () => undefined);
  }

  createThreads(classIndex, threads) {
    return new ThreadPool(this.processors, { classIndex, threads });
  }
}
