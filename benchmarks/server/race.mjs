// Measures ours and a peer under each framework, over connections that stay open.
import { openConnections } from '../connections.mjs';
import { takeTurns } from '../turns.mjs';

/**
 * Requests `paths` of ours and of the peer at each port, in turns. Returns, by framework, the `amountOf` the responses
 * per second, and the milliseconds of all responses but the first ones.
 */
export async function raceFrameworks(ports, { connectionCount, paths, rounds, amountOf }) {
  const results = [];
  for (const [framework, port] of Object.entries(ports)) {
    const connections = await openConnections(port, connectionCount);
    const latencies = { ours: [], peer: [] };
    const contenders = ['ours', 'peer'].map((name) => ({
      name,
      async measure() {
        const start = performance.now();
        const got = await connections.get(paths[name]);
        const seconds = (performance.now() - start) / 1000;
        latencies[name].push(got.milliseconds);
        return seconds / amountOf(got);
      },
    }));
    const raced = await takeTurns(contenders, { rounds });
    connections.close();
    for (const name of Object.keys(latencies)) latencies[name] = latencies[name].slice(-rounds).flat();
    results.push({ framework, ...raced, latencies });
  }
  return results;
}

/** Returns the value below which the given share of the values lies. */
export function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}
