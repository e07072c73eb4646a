// What users do: views of requests, one after another, with time to look at each view. The load and the model both follow these.

/**
 * A view is a list of steps. A step requests a `kind` of requests.mjs `count` times, and takes place in a `share` of the views.
 * `thinkSeconds` is the mean time before a view, which is distributed exponentially. `clientMegabits` is the speed of a user's link.
 */
export const MIXES = {
  browser: {
    what: 'a genome browser: a ticket and its block, bases of the reference, and now and then the depth of what is in view',
    thinkSeconds: 15,
    clientMegabits: 50,
    view: [
      { kind: 'ticket' },
      { kind: 'block' },
      { kind: 'slice' },
      { kind: 'coverage', share: 0.1 },
      { kind: 'overview', share: 0.1 },
    ],
  },
  archive: {
    what: 'the same browser, on CRAM that is answered as BAM',
    thinkSeconds: 15,
    clientMegabits: 50,
    view: [
      { kind: 'archiveTicket' },
      { kind: 'conversion' },
      { kind: 'slice' },
      { kind: 'archiveCoverage', share: 0.1 },
      { kind: 'overview', share: 0.1 },
    ],
  },
  pipeline: {
    what: 'programs that download whole files, in parts of 8 MiB',
    thinkSeconds: 1,
    clientMegabits: 1000,
    view: [{ kind: 'ticket' }, { kind: 'part', count: 16 }],
  },
};

/** Returns the kinds of the requests of a view. `nextShare` returns numbers in [0, 1). */
export function drawView({ view }, nextShare) {
  return view.flatMap(({ kind, count = 1, share = 1 }) => (nextShare() < share ? new Array(count).fill(kind) : []));
}

/** Returns how often each kind is requested in a view, on average. */
export function meanView({ view }) {
  return Object.fromEntries(view.map(({ kind, count = 1, share = 1 }) => [kind, count * share]));
}

/** Returns a time of an exponential distribution. */
export function drawExponential(mean, nextShare) {
  return -mean * Math.log(1 - nextShare());
}
