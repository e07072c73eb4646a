// Contenders that measure themselves, in turns.

/** Rounds in which what runs is compiled, and not measured. */
const WARM_UPS = 2;

/**
 * Runs `measure` of all contenders in turns, twice unmeasured and then `rounds` times, each round beginning with another
 * one. It gives the seconds of one unit of work. The first contender is ours.
 */
export async function takeTurns(contenders, { rounds }) {
  const times = contenders.map(() => []);
  for (let round = 0; round < WARM_UPS + rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const rank = (round + turn) % contenders.length;
      const seconds = await contenders[rank].measure();
      if (round >= WARM_UPS) times[rank].push(seconds);
    }
  }
  const [ours, ...peers] = contenders.map(({ name }, rank) => ({ name, seconds: median(times[rank]) }));
  return { ours, peers };
}

/** Seconds that `run` takes. */
export async function timed(run) {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

/**
 * A row for each peer, of amounts of which less is better: `amounts` by contender, ours first. `budgets` by peer; one
 * without asks nothing. The ratio is the peer's to ours.
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
