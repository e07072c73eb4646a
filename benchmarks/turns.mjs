// Runs contenders that measure themselves, in turns.

/** Unmeasured rounds, in which the code is compiled. */
const WARM_UPS = 2;

/**
 * Runs `measure` of all contenders in turns, twice unmeasured and then for `rounds` rounds, each beginning with another
 * one. `measure` returns the seconds of one unit of work. The first contender is ours.
 */
export async function takeTurns(contenders, { rounds }) {
  const times = contenders.map(() => []);
  for (let round = 0; round < WARM_UPS + rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const index = (round + turn) % contenders.length;
      const seconds = await contenders[index].measure();
      if (round >= WARM_UPS) times[index].push(seconds);
    }
  }
  const [ours, ...peers] = contenders.map(({ name }, index) => ({ name, seconds: median(times[index]) }));
  return { ours, peers };
}

/** Returns the seconds that `run` takes. */
export async function timed(run) {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

/**
 * Returns a row for each peer, for amounts that are better if smaller. `amounts` is by contender, ours first; `budgets` is
 * by peer, and optional for each. The ratio divides the peer's amount by ours.
 */
export function smallerRows({ name, unit, budgets, equal }, [[, ours], ...peers]) {
  const values = Object.fromEntries(peers.map(([peer, amount]) => [peer, round(amount)]));
  return peers.map(([peer, amount]) => {
    const budget = budgets[peer] ?? null;
    return { name, unit, ours: round(ours), peers: values, peer, ratio: round(amount / ours), budget, equal };
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function round(value) {
  return Number(value.toPrecision(3));
}
