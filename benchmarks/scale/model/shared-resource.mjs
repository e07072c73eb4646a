// A resource that all of its users share at the same time: the processors of a machine, or the bandwidth of a network.

/**
 * Divides a capacity among jobs by weight, up to a rate for each: processors by niceness, where one thread has one processor at the
 * most (sched(7)), or a link by connection, where a client has a link of its own. `classes` are `{ weight, cap }`; the jobs of a class
 * have the same rate, so that the costs of an event do not grow with the number of jobs.
 */
export class SharedResource {
  /** The sum of what all jobs have received. */
  #served = 0;
  #simulation;
  #capacity;
  #classes;
  /** The classes in the order in which they reach their cap. */
  #order;
  #updatedAt = 0;
  #next;

  constructor(simulation, { capacity, classes }) {
    this.#simulation = simulation;
    this.#capacity = capacity;
    this.#classes = classes.map(({ weight, cap }) => ({ weight, cap, rate: 0, received: 0, jobs: [] }));
    this.#order = this.#classes.toSorted((a, b) => a.cap / a.weight - b.cap / b.weight);
  }

  /** Calls `done` when a job of the class has received `amount`. */
  add(classIndex, amount, done) {
    this.#advance();
    const { jobs, received } = this.#classes[classIndex];
    insert(jobs, { end: received + amount, done });
    this.#divide();
  }

  /** Returns what all jobs have received until now. */
  served() {
    this.#advance();
    return this.#served;
  }

  #advance() {
    const elapsed = this.#simulation.now - this.#updatedAt;
    this.#updatedAt = this.#simulation.now;
    for (const each of this.#classes) {
      each.received += elapsed * each.rate;
      this.#served += elapsed * each.rate * each.jobs.length;
    }
  }

  /** Sets the rates of all jobs. What the jobs of a class leave since they are at their cap is divided among the others. */
  #divide() {
    let left = this.#capacity;
    let weights = this.#classes.reduce((sum, { weight, jobs }) => sum + weight * jobs.length, 0);
    let soonest = Infinity;
    for (const each of this.#order) {
      const { weight, cap, jobs } = each;
      if (jobs.length === 0) continue;
      each.rate = Math.min(cap, (left * weight) / weights);
      left -= each.rate * jobs.length;
      weights -= weight * jobs.length;
      soonest = Math.min(soonest, (jobs.at(-1).end - each.received) / each.rate);
    }
    if (this.#next !== undefined) this.#simulation.cancel(this.#next);
    this.#next =
      soonest === Infinity ? undefined : this.#simulation.schedule(Math.max(0, soonest), () => this.#finish());
  }

  #finish() {
    this.#next = undefined;
    this.#advance();
    const finished = [];
    for (const { jobs, received } of this.#classes) {
      // Sums of times are inexact by some last digits.
      while (jobs.length > 0 && jobs.at(-1).end <= received * (1 + 1e-12) + 1e-12) finished.push(jobs.pop());
    }
    this.#divide();
    for (const { done } of finished) done();
  }
}

/** Inserts a job so that the one that ends first is the last. */
function insert(jobs, job) {
  let [low, high] = [0, jobs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (jobs[middle].end > job.end) low = middle + 1;
    else high = middle;
  }
  jobs.splice(low, 0, job);
}
