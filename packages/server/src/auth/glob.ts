/**
 * Whether a path matches a pattern: `*` stands for any characters but `/`, `**` for any at all, both also for none; every
 * other character stands for itself.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  const tokens = pattern.match(/\*\*|./gsu) ?? [];
  return (path) => {
    // The tokens that may come next, all at once: no path of a client takes long, as one would with a regular expression.
    let next = withoutStars(tokens, [0]);
    for (const character of path) {
      const after = Array.from(next).flatMap((rank) => {
        const token = tokens[rank];
        if (token === '**' || (token === '*' && character !== '/')) return [rank];
        return token === character && token !== '*' ? [rank + 1] : [];
      });
      if (after.length === 0) return false;
      next = withoutStars(tokens, after);
    }
    return next.has(tokens.length);
  };
}

/** The ranks, and those behind the stars that stand for nothing. */
function withoutStars(tokens: readonly string[], ranks: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const start of ranks) {
    let rank = start;
    reached.add(rank);
    for (let token = tokens[rank]; token === '*' || token === '**'; token = tokens[rank]) reached.add(++rank);
  }
  return reached;
}
