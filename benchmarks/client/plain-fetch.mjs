// The peer that a client is measured by: `fetch` of Node, which verifies nothing.
export const FETCH = `fetch of node ${process.versions.node}`;
export const PLAIN_FETCH = `${FETCH}, nothing verified`;

const BUDGET = 0.9;

/** Returns the budgets of a race whose peers include a plain `fetch`. */
export function budgetsBeside(peers) {
  return peers.map(({ name }) => ({ peers: [name], budget: name === PLAIN_FETCH ? BUDGET : null }));
}
