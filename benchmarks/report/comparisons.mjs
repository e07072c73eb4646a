// What rows say of each piece of work: one comparison with each peer. The table, the page and the plots show these.

/** The state of ours before the work: what is beside it there is no peer, and nobody is ahead. */
const BEFORE = 'before';
/** Ratios within this of 1 say nothing about who is ahead. */
const LEVEL = 0.01;

/**
 * `{ area, name, unit, ours, equal, comparisons: [{ peer, value, ratio, budget, leader, verdict }] }` for each piece of work,
 * in the order of the rows, with its peers in the order in which the row names them. `leader` is `ours`, `peer` or `level`,
 * and `none` where there is no peer.
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

/** A peer that no budget speaks of has no row of its own: of it, too, more is better. */
function compare({ ofWork, peer, value, equal }) {
  const [row] = ofWork.filter((each) => each.peer === peer).toSorted((a, b) => (b.budget ?? 0) - (a.budget ?? 0));
  const ratio = row?.ratio ?? Number((ofWork[0].ours / value).toPrecision(3));
  const budget = row?.budget ?? null;
  const leader = peer === BEFORE ? 'none' : leaderOf(ratio);
  return { peer, value, ratio, budget, leader, verdict: equal ? judge({ ratio, budget, leader }) : 'outputs differ' };
}

function leaderOf(ratio) {
  // Ratios have three digits: 0.99 is level, whatever binary makes of it.
  if (Math.round(Math.abs(ratio - 1) * 1000) <= LEVEL * 1000) return 'level';
  return ratio < 1 ? 'peer' : 'ours';
}

/** Whether the budget is met, if there is one, and whether the peer is ahead. */
function judge({ ratio, budget, leader }) {
  const verdicts = [];
  if (budget !== null) verdicts.push(ratio >= budget ? 'ok' : 'below budget');
  if (leader === 'peer') verdicts.push('peer ahead');
  return verdicts.join(', ');
}
