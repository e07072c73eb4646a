// Describes the machine of a run: what matters for its numbers, and nothing that identifies the machine or its user.
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os';

export function describeMachine() {
  const [processor] = cpus();
  const [kernel] = /^[\d.]*\d/.exec(release()) ?? [''];
  return {
    cpu: processor?.model.trim() ?? 'unknown processor',
    processors: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${kernel} ${arch()}`,
  };
}

/** Returns the versions of Node and of all peers whose names have one, such as "pako 3.0.3, no CRC". */
export function versionsOf(rows) {
  const peers = rows.flatMap(({ peers }) => Object.keys(peers));
  const named = peers.flatMap((peer) => peer.split(', ')).map((part) => /(\S+) (\d+(?:\.\d+)+)/.exec(part));
  const found = named.filter((match) => match !== null).map(([, name, version]) => [name, version]);
  const sorted = found.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { node: process.versions.node, ...Object.fromEntries(sorted) };
}
