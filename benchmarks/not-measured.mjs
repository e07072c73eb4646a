// Peers that take no part because they are not installed, reported once after all measurements.
const peers = new Map();

/** Records a peer that is not installed, and what it needs if its name does not say so. */
export function noteNotMeasured(peer, needs) {
  peers.set(peer, needs === undefined ? peer : `${peer} (${needs})`);
}

/** Returns one line, or an empty text if all peers took part. */
export function formatNotMeasured() {
  return peers.size === 0 ? '' : `not measured, since not installed: ${[...peers.values()].join(', ')}`;
}
