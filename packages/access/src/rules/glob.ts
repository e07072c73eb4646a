/**
 * Compiles a glob: `*` matches any number of characters except `/`, `**` any number of any characters, and every other
 * character itself.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  const tokens = pattern.match(/\*\*|./gsu) ?? [];
  return (path) => {
    // All possible next tokens are tracked at once, so that no path takes exponential time as with a backtracking match.
    let next = withoutStars(tokens, [0]);
    for (const character of path) {
      const after = Array.from(next).flatMap((index) => {
        const token = tokens[index];
        if (token === '**' || (token === '*' && character !== '/')) return [index];
        return token === character && token !== '*' ? [index + 1] : [];
      });
      if (after.length === 0) return false;
      next = withoutStars(tokens, after);
    }
    return next.has(tokens.length);
  };
}

/** Returns the indexes, and those after stars that match nothing. */
function withoutStars(tokens: readonly string[], indexes: readonly number[]): ReadonlySet<number> {
  const reached = new Set<number>();
  for (const start of indexes) {
    let index = start;
    reached.add(index);
    for (let token = tokens[index]; token === '*' || token === '**'; token = tokens[index]) reached.add(++index);
  }
  return reached;
}
