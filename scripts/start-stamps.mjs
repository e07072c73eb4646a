// Remembers what the steps of `npm start` were made from, so that a step whose inputs are unchanged is skipped.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders that hold no inputs: outputs, what is installed, and tests. */
const SKIPPED = new Set(['node_modules', 'dist', 'test', '.git']);

/** Returns a digest of the paths, sizes and times of modification of files, and of all files below folders. */
export function digestInputs(root, paths, ...others) {
  const hash = createHash('sha256').update(JSON.stringify(others));
  const visit = (path) => {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) if (!SKIPPED.has(name)) visit(`${path}/${name}`);
    } else hash.update(JSON.stringify([path, stats?.size, stats?.mtimeMs]));
  };
  paths.forEach(visit);
  return hash.digest('hex');
}

/** Runs steps unless they were run with these inputs before and their outputs exist. The stamp is written when they end. */
export function runUnlessDone({ stamp, inputs, outputs }, run) {
  const isDone = [stamp, ...outputs].every(existsSync) && readFileSync(stamp, 'utf8') === inputs;
  if (isDone) return;
  run();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputs);
}
