// Repeats the mutation tests of a package at volume, with the same mutations each time:
//
//   pnpm mutate PACKAGE [COUNT]
//
// COUNT is the number of damaged inputs per test, by default 100,000. The tests are those that call `checkMutations` of
// @htskit/testing; in `npm test` they run with a count of their own.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const packages = findTests();
const [name, count = '100000'] = process.argv.slice(2);
const files = packages.get(name);
if (files === undefined || !/^[1-9]\d*$/.test(count)) {
  console.error(`usage: pnpm mutate PACKAGE [COUNT]; packages: ${[...packages.keys()].join(', ')}`);
  process.exit(2);
}
const { status } = spawnSync('pnpm', ['exec', 'vitest', 'run', '--project', 'node', '--testTimeout', '0', ...files], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, HTSKIT_MUTATIONS: count },
});
process.exit(status ?? 1);

/** The test files that call `checkMutations`, by the name of their package. */
function findTests() {
  const found = new Map();
  for (const folder of readdirSync(join(root, 'packages')).filter((folder) => folder !== 'testing')) {
    const tests = readdirSync(join(root, 'packages', folder, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join('packages', folder, 'test', path))
      .filter((path) => readFileSync(join(root, path), 'utf8').includes('checkMutations('));
    if (tests.length > 0) found.set(folder, tests);
  }
  return found;
}
