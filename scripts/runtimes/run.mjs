// Runs the suite of this folder in each runtime, or in those that are named, against the packages as they are published:
//
//   pnpm run runtimes [NAME…]
//
// Prints a line for each; exits with 1 where one fails. One that cannot be had here is skipped; with CI set, it fails.
import { findChromium, runInChromium } from './chromium.mjs';
import { createTree } from './package-tree.mjs';
import { runAsProcess } from './process.mjs';
import { installRuntime, Unavailable } from './runtime-install.mjs';
import { RUNTIMES } from './runtimes.mjs';
import { runInWorkerd } from './workerd.mjs';

const RUNNERS = { process: runAsProcess, workerd: runInWorkerd, chromium: runInChromium };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !RUNTIMES.some((runtime) => runtime.name === name));
if (unknown.length > 0) {
  console.error(`no such runtime: ${unknown.join(', ')}; there are ${RUNTIMES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const chosen = RUNTIMES.filter(({ name }) => names.length === 0 || names.includes(name));
const isCi = process.env.CI === 'true';
const counts = { passed: 0, failed: 0, skipped: 0 };

// What was started is ended, and what was written is removed, on exit: also on one by a signal.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

// All downloads at once, while the packages are packed.
const binaries = new Map(chosen.map((runtime) => [runtime, Promise.allSettled([findBinary(runtime)])]));
const tree = createTree();
for (const runtime of chosen) await runIn(runtime);
console.log(`runtimes: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;

function findBinary(runtime) {
  return runtime.kind === 'chromium' ? findChromium() : installRuntime(runtime);
}

async function runIn(runtime) {
  const start = performance.now();
  const [found] = await binaries.get(runtime);
  try {
    if (found.status === 'rejected') throw found.reason;
    const report = await RUNNERS[runtime.kind]({ ...runtime, binary: found.value, tree });
    checkReport(report, runtime);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const engines = Object.entries(report.engines).map(([area, engine]) => `${area}: ${engine}`);
    const facts = [`${report.version}`, `${report.count} checks`, `${seconds} s`, ...engines];
    console.log(`ok    ${runtime.name.padEnd(21)} ${facts.join(', ')}`);
    counts.passed++;
  } catch (error) {
    const isSkipped = error instanceof Unavailable && !isCi;
    console.log(`${isSkipped ? 'skip ' : 'FAIL '} ${runtime.name.padEnd(21)} ${error.message}`);
    counts[isSkipped ? 'skipped' : 'failed']++;
  }
}

function checkReport({ count, failures, engines }, runtime) {
  if (failures.length > 0) throw new Error(`${failures.length} of ${count} checks failed\n${failures.join('\n')}`);
  if (!(count > 0)) throw new Error('no check ran');
  for (const [area, engine] of Object.entries(runtime.engines ?? {})) {
    if (engines[area] !== engine) throw new Error(`${area} was to use ${engine}, but used ${engines[area]}`);
  }
}
