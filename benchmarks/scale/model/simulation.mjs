// The event loop of the simulation: a clock in seconds, and actions in the order of their times.

/** Actions at the same time run in the order in which they were scheduled, so that a run is the same each time. */
export class Simulation {
  now = 0;
  /** The number of actions that have run. */
  count = 0;
  #heap = [];
  #scheduled = 0;

  /** Calls `action` after `delay` seconds. Returns an event that `cancel` takes. */
  schedule(delay, action) {
    const event = { time: this.now + delay, order: this.#scheduled++, action };
    this.#push(event);
    return event;
  }

  /** The event stays in the heap until its time. */
  cancel(event) {
    event.action = undefined;
  }

  /** Runs all actions before `end`, and sets the clock to it. */
  run(end) {
    while (this.#heap.length > 0 && this.#heap[0].time < end) {
      const { time, action } = this.#pop();
      if (action === undefined) continue;
      this.now = time;
      this.count += 1;
      action();
    }
    this.now = end;
  }

  #push(event) {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!precedes(event, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
  }

  #pop() {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && precedes(heap[child + 1], heap[child])) child += 1;
      if (!precedes(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function precedes(a, b) {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
