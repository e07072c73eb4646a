/** Ticks per decade, from many to few. */
const STEPS = [[1, 2, 5], [1, 3], [1]];
const MOST_TICKS = 9;

/**
 * Returns a logarithmic scale with room for all `values`, for 1, for one half and for 2: `ticks`, with the first at
 * `left` and the last at `left + width`, and `toX`, which returns the position of a value.
 */
export function createLogScale(values, { left, width }) {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const [least, most] = [Math.min(0.5, ...positive), Math.max(2, ...positive)];
  const candidates = STEPS.map((steps) => ticksAround(steps, { least, most }));
  const ticks = candidates.find(({ length }) => length <= MOST_TICKS) ?? candidates.at(-1);
  const [first, last] = [Math.log(ticks[0]), Math.log(ticks.at(-1))];
  const toX = (value) => {
    const clamped = Math.min(Math.max(value, ticks[0]), ticks.at(-1));
    return Number((left + (width * (Math.log(clamped) - first)) / (last - first)).toFixed(1));
  };
  return { ticks, toX };
}

/** Returns the ticks from the last one at or below the least value to the first one at or above the most. */
function ticksAround(steps, { least, most }) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)) + 1; power += 1)
    for (const step of steps) ticks.push(Number(`${step}e${power}`));
  const first = ticks.findLastIndex((tick) => tick <= least);
  const last = ticks.findIndex((tick) => tick >= most);
  return ticks.slice(first, last + 1);
}
