// The costs of requests, drawn from those that were measured.
import { mean } from './statistics.mjs';

const ROLES = ['main', 'workers', 'others', 'client'];
const MICROSECONDS = 1e-6;

/**
 * Returns a function that draws the cost of a request of a kind: the seconds of the threads and of `idle`, the `bytes`, and the `reads`
 * of the store. A thread that waited for the request takes longer than one that is at work anyway, since it has to wake up, and its
 * caches are cold: `isIdle` chooses which of the two was measured, unless `factors` of the single requests are given by role. `cold` is
 * the share of tickets that are the first for their file.
 */
export function createCosts(measured, { nextShare, cold = 0, factors }) {
  const shares = Object.fromEntries(
    Object.entries(measured).map(([kind, costs]) => [kind, factors ?? toBusyShares(costs)]),
  );
  return (kind, { isIdle }) => {
    const { samples, cold: coldSamples } = measured[kind];
    const isCold = cold > 0 && coldSamples !== undefined && nextShare() < cold;
    const columns = isCold ? coldSamples : samples;
    const index = Math.floor(nextShare() * columns.bytes.length);
    const cost = { bytes: columns.bytes[index], reads: columns.reads[index], idle: columns.idle[index] * MICROSECONDS };
    const isAlone = isCold || (isIdle && factors === undefined);
    for (const role of ROLES) cost[role] = columns[role][index] * MICROSECONDS * (isAlone ? 1 : shares[kind][role]);
    return cost;
  };
}

/**
 * Returns by role the seconds that were used for so many requests, divided by those that single requests use. `counts` has the number
 * of requests of each kind.
 */
export function toFactors(measured, { counts, seconds }) {
  const factors = ROLES.map((role) => {
    const kinds = Object.entries(counts);
    const alone = kinds.reduce((sum, [kind, count]) => sum + count * mean(measured[kind].samples[role]), 0);
    return [role, alone === 0 ? 1 : seconds[role] / (alone * MICROSECONDS)];
  });
  return Object.fromEntries(factors);
}

/** Returns the mean seconds, bytes and reads of a request of each kind, on threads that are at work. */
export function meanCosts(measured, cold = 0) {
  return Object.fromEntries(
    Object.entries(measured).map(([kind, { samples, busy, cold: coldSamples }]) => {
      const share = coldSamples === undefined ? 0 : cold;
      const mix = (warm, column) => (1 - share) * warm + (share > 0 ? share * mean(coldSamples[column]) : 0);
      const seconds = ROLES.map((role) => [role, mix(busy[role], role) * MICROSECONDS]);
      const amounts = ['bytes', 'reads'].map((name) => [name, mix(mean(samples[name]), name)]);
      return [kind, Object.fromEntries([...seconds, ...amounts])];
    }),
  );
}

function toBusyShares({ samples, busy }) {
  return Object.fromEntries(
    ROLES.map((role) => {
      const alone = mean(samples[role]);
      return [role, alone === 0 ? 1 : busy[role] / alone];
    }),
  );
}
