// Peers that take no part because they are not installed: said once, when everything else is measured.
const peers = new Map();

/** Notes a peer that is not installed, and what it needs where its name does not say it. */
export function noteNotMeasured(peer, needs) {
  peers.set(peer, needs === undefined ? peer : `${peer} (${needs})`);
}

/** One line, or none where all took part. */
export function formatNotMeasured() {
  return peers.size === 0 ? '' : `not measured, since not installed: ${[...peers.values()].join(', ')}`;
}
