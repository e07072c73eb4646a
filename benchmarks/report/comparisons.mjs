// Groups rows by piece of work, with one comparison per peer. The table, the page and the plots show these.

/** Peers that are never ahead: the state of ours before the work, and the measurement of what a simulation predicts. */
const STANDARDS = new Set(['before', 'measured']);
/** Ratios within this distance of 1 are level. */
const LEVEL = 0.01;

/**
 * Returns `{ area, name, unit, ours, equal, comparisons: [{ peer, value, ratio, budget, leader, verdict }] }` for each
 * piece of work, in the order of the rows, with its peers in the order of the row. `leader` is `ours`, `peer`, `level`,
 * or `none` if there is no peer.
 */
export function toWorks(rows) {
  const works = new Map();
  for (const row of rows) {
    const key = JSON.stringify([row.area, row.name]);
    works.set(key, [...(works.get(key) ?? []), row]);
  }
  return Array.from(works.values(), (ofWork) => {
    const [{ area, name, unit, ours, peers }] = ofWork;
    const equal = ofWork.every((row) => row.equal);
    const comparisons = Object.entries(peers).map(([peer, value]) => compare({ ofWork, peer, value, equal }));
    return { area, name, unit, ours, equal, comparisons };
  });
}

/** Compares ours with a peer. A peer without a budget has no row, and a larger value of it is better. */
function compare({ ofWork, peer, value, equal }) {
  const [row] = ofWork.filter((each) => each.peer === peer).toSorted((a, b) => (b.budget ?? 0) - (a.budget ?? 0));
  const ratio = row?.ratio ?? Number((ofWork[0].ours / value).toPrecision(3));
  const budget = row?.budget ?? null;
  const leader = STANDARDS.has(peer) ? 'none' : leaderOf(ratio);
  return { peer, value, ratio, budget, leader, verdict: equal ? judge({ ratio, budget, leader }) : 'outputs differ' };
}

function leaderOf(ratio) {
  // Ratios have three digits: 0.99 is level, whatever its binary representation.
  if (Math.round(Math.abs(ratio - 1) * 1000) <= LEVEL * 1000) return 'level';
  return ratio < 1 ? 'peer' : 'ours';
}

/** Returns whether the budget is met, if there is one, and whether the peer is ahead. */
function judge({ ratio, budget, leader }) {
  const verdicts = [];
  if (budget !== null) verdicts.push(ratio >= budget ? 'ok' : 'below budget');
  if (leader === 'peer') verdicts.push('peer ahead');
  return verdicts.join(', ');
}
