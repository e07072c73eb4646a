/**
 * Threads that work on one job after another, first come, first served. They need a processor of their machine for that, which they
 * share with all other threads. `processors` is a `SharedResource`, and `classIndex` the class of these threads.
 */
export class ThreadPool {
  #processors;
  #classIndex;
  #idle;
  #queue = new Queue();

  constructor(processors, { classIndex, threads }) {
    this.#processors = processors;
    this.#classIndex = classIndex;
    this.#idle = threads;
  }

  /** The jobs that wait for a thread. */
  get waiting() {
    return this.#queue.size;
  }

  get hasIdleThread() {
    return this.#idle > 0;
  }

  /** Calls `done` when a thread has worked on the job for `seconds`. */
  run(seconds, done) {
    if (this.#idle === 0) return this.#queue.add({ seconds, done });
    this.#idle -= 1;
    this.#start({ seconds, done });
  }

  #start({ seconds, done }) {
    this.#processors.add(this.#classIndex, seconds, () => {
      const next = this.#queue.take();
      if (next === undefined) this.#idle += 1;
      else this.#start(next);
      done();
    });
  }
}

/** An array whose first elements are taken in constant time on average. */
class Queue {
  #items = [];
  #first = 0;

  get size() {
    return this.#items.length - this.#first;
  }

  add(item) {
    this.#items.push(item);
  }

  take() {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first++] = undefined;
    if (this.#first > 1000 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}
