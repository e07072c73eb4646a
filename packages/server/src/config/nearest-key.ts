/** The one of some names that takes the fewest changes to get to, letter case aside; undefined for none. */
export function nearestKey(text: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** How many characters must be put in, taken out or replaced. */
function editDistance(from: string, to: string): number {
  let distances = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (const [rank, character] of Array.from(from).entries()) {
    const next = [rank + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = (distances[at] ?? 0) + (to[at] === character ? 0 : 1);
      next.push(Math.min(replaced, (distances[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    distances = next;
  }
  return distances.at(-1) ?? 0;
}
