// How many users a replica holds, and so how many replicas a number of users needs.
import { FLEET, simulateFleet } from './fleet.mjs';
import { MIXES, meanView } from './mixes.mjs';
import { meanCosts } from './model/costs.mjs';
import { CACHEABLE } from './model/users.mjs';

/** The seconds that 99 of 100 responses take at most, and the share of views that may fail. */
export const GOALS = { p99: 0.5, failed: 0.001 };
/** The share of its capacity that a replica is planned for: beyond it, a little more load doubles the times. */
const PLANNED_SHARE = 0.8;
/** The search ends when the answer is known this exactly. */
const PRECISION = 0.02;

/**
 * Returns the users that a replica holds within the goals, and the simulation of them. More replicas hold more users, unless the store
 * is what limits them.
 */
export function findCapacity(costs, options, goals = GOALS) {
  const fleet = { ...FLEET, ...options };
  const most = usersOfProcessors(costs, fleet);
  let [good, bad] = [{ share: 0 }, 1.1];
  while (bad - good.share > PRECISION) {
    const share = (good.share + bad) / 2;
    const users = Math.max(1, Math.round(most * share));
    const result = simulateFleet(costs, { ...fleet, users });
    if (result.p99 <= goals.p99 && result.failed <= goals.failed) good = { share, users, result };
    else bad = share;
  }
  if (good.users === undefined)
    throw new Error('no number of users is within the goals: the fastest response takes longer');
  return { users: good.users, ...good.result };
}

/**
 * Returns what so many users need: replicas, their processors and bandwidth, and the limit that is exhausted first. `capacity` is what
 * `findCapacity` returns for the same options.
 */
export function planFleet(costs, { users, capacity, ...options }) {
  const fleet = { ...FLEET, ...options };
  const replicas = Math.ceil(users / (PLANNED_SHARE * capacity.users));
  const result = simulateFleet(costs, { ...fleet, users: Math.ceil(users / replicas) });
  const { bytes, reads, processors } = result.perSecond;
  const storePerSecond = reads * replicas;
  const use = { ...capacity.use, 'requests to the store': storePerSecond / PLANNED_SHARE / fleet.storePerSecond };
  const [[first]] = Object.entries(use).sort(([, a], [, b]) => b - a);
  return {
    users,
    replicas,
    cores: replicas * fleet.cores,
    busyCores: replicas * processors,
    gigabits: (replicas * bytes * 8) / 1e9,
    storePerSecond,
    p50: result.p50,
    p99: result.p99,
    use,
    first,
    events: capacity.events,
  };
}

/** Returns the users whose views take all of the processors of a replica. */
function usersOfProcessors(costs, { mix, cdn, cold, cores }) {
  const means = meanCosts(costs, cold);
  const kinds = Object.entries(meanView(MIXES[mix]));
  const seconds = kinds.reduce((sum, [kind, count]) => {
    const { main, workers, others } = means[kind];
    return sum + count * (CACHEABLE.has(kind) ? 1 - cdn : 1) * (main + workers + others);
  }, 0);
  return (cores / seconds) * MIXES[mix].thinkSeconds;
}
