// What rows say of each piece of work: one comparison with each peer. The table, the page and the plots show these.

/**
 * `{ area, name, unit, ours, equal, comparisons: [{ peer, value, ratio, budget, verdict }] }` for each piece of work, in
 * the order of the rows, with its peers in the order in which the row names them.
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
  return { peer, value, ratio, budget, verdict: equal ? judge(ratio, budget) : 'outputs differ' };
}

/** Whether the budget is met, if there is one, and whether the peer is ahead. */
function judge(ratio, budget) {
  const verdicts = [];
  if (budget !== null) verdicts.push(ratio >= budget ? 'ok' : 'below budget');
  if (ratio < 1) verdicts.push('peer ahead');
  return verdicts.join(', ');
}
