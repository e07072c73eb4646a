import { dirname, join } from 'node:path';

/** Imports and re-exports of files of the package, types and dynamic imports included. */
const IMPORT = /(?:^(?:import|export)\b[^;'"]*\bfrom |^import |\bimport\()['"](\.{1,2}\/[^'"]+)\.js['"]/gm;

/** Circles of imports within the sources of a package, once each: `{ path, line, message }` for its first file. */
export function checkCircles(files) {
  const imports = new Map();
  for (const { path, source } of files) {
    if (/^packages\/[^/]+\/src\/.*\.ts$/.test(path)) imports.set(path, importsOf(path, source));
  }
  return [...imports.keys()].sort().flatMap((path) => {
    const circle = findCircle(path, imports);
    if (circle === undefined || circle.some((other) => other < path)) return [];
    return [{ path, line: 1, message: `circle of imports: ${[...circle, path].join(' → ')}; move what both need` }];
  });
}

function importsOf(path, source) {
  return [...source.matchAll(IMPORT)].map(([, target]) => join(dirname(path), `${target}.ts`));
}

/** Returns the shortest chain of files from a file back to itself, without the repetition, or undefined. */
function findCircle(start, imports) {
  const seen = new Set();
  const chains = [[start]];
  for (const chain of chains) {
    for (const next of imports.get(chain.at(-1)) ?? []) {
      if (next === start) return chain;
      if (!seen.has(next)) chains.push([...chain, next]);
      seen.add(next);
    }
  }
  return undefined;
}
