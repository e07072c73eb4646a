// Runs the suite of this folder in each runtime, or in those that are named, against the packages as they are
// published:
//
//   pnpm run runtimes [NAME…]
//
// Over loopback, each runtime is also a client of a server in Node, and a server for a client in Node and for samtools.
// Prints a line for each, and exits with 1 if one fails. Runtimes that are not available are skipped; if CI is set,
// they fail.
import { findChromium, openChromium } from './chromium.mjs';
import { writeExample } from './examples.mjs';
import { createTree } from './package-tree.mjs';
import { openProcess } from './process.mjs';
import { installRuntime, Unavailable } from './runtime-install.mjs';
import { NODE_SERVER, RUNTIMES } from './runtimes.mjs';
import { findSamtools, readBySamtools } from './samtools.mjs';
import { openWorkerd } from './workerd.mjs';

const KINDS = { process: openProcess, workerd: openWorkerd, chromium: openChromium };
/** More at once would not be faster: each starts workers. */
const AT_ONCE = 2;
const LABELS = { passed: 'ok   ', failed: 'FAIL ', skipped: 'skip ' };

const names = process.argv.slice(2);
const unknown = names.filter((name) => !RUNTIMES.some((runtime) => runtime.name === name));
if (unknown.length > 0) {
  console.error(`unknown runtime: ${unknown.join(', ')}; there are ${RUNTIMES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const chosen = RUNTIMES.filter(({ name }) => names.length === 0 || names.includes(name));
const isCi = process.env.CI === 'true';
const counts = { passed: 0, failed: 0, skipped: 0 };

// On exit, also by a signal, started processes are ended and written files are removed.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

// All downloads run at once, while the packages are packed.
const binaries = new Map(chosen.map((runtime) => [runtime, Promise.allSettled([findBinary(runtime)])]));
const tree = createTree();
const samtools = findSamtools();
if (samtools === undefined) report(isCi ? 'failed' : 'skipped', 'samtools', 'no samtools and bcftools are installed');
// Both serve the same: redirects lead from one to the other.
const [reference, other] = await Promise.all([openNode(), openNode()]);
const waiting = [...chosen];
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
await Promise.all([reference.close(), other.close()]);
console.log(`runtimes: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;

function findBinary(runtime) {
  return runtime.kind === 'chromium' ? findChromium() : installRuntime(runtime);
}

/** The Node that runs this script. */
function openNode() {
  return openProcess({ binary: process.execPath, args: [], tree, servers: [NODE_SERVER] });
}

async function runWaiting() {
  for (let runtime = waiting.shift(); runtime; runtime = waiting.shift()) await runIn(runtime);
}

async function runIn(runtime) {
  const start = performance.now();
  const [found] = await binaries.get(runtime);
  try {
    if (found.status === 'rejected') throw found.reason;
    const facts = await checkRuntime({ ...runtime, binary: found.value, tree });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    report('passed', runtime.name, [...facts, `${seconds} s`].join(', '));
  } catch (error) {
    report(error instanceof Unavailable && !isCi ? 'skipped' : 'failed', runtime.name, error.message);
  }
}

/** Returns what was verified in a runtime. */
async function checkRuntime(runtime) {
  const opened = await KINDS[runtime.kind](runtime);
  try {
    const report = await opened.run(servicesAt(reference.origins[0]));
    checkReport(report, runtime);
    const facts = [report.version, `${report.count} checks`];
    for (const [area, engine] of Object.entries(report.engines)) facts.push(`${area}: ${engine}`);
    for (const server of opened.origins) facts.push(await checkServer(server));
    for (const packageName of runtime.examples ?? []) facts.push(await checkExample(packageName, runtime, opened));
    return facts;
  } finally {
    await opened.close();
  }
}

/** Verifies what the client in Node and samtools read from a server. */
async function checkServer({ name, ...server }) {
  try {
    const report = await reference.run(servicesAt(server), 'client');
    checkReport(report, {});
    const read = samtools === undefined ? [] : [`${await readBySamtools(server.origin)} by samtools`];
    return `serves by ${name}: ${[`${report.count} checks`, ...read].join(' and ')}`;
  } catch (error) {
    throw new Error(`as a server, by ${name}: ${error.message}`, { cause: error });
  }
}

/** Verifies what the client in Node reads from the example of a README. */
async function checkExample(packageName, runtime, opened) {
  const [{ origin: storeOrigin }] = reference.origins;
  const example = await writeExample({ tree, packageName, runtimeName: runtime.name, storeOrigin });
  const server = await opened.startExample(example);
  try {
    checkReport(await reference.run(servicesAt({ origin: server.origin + example.mount, lacks: [] }), packageName), {});
    return `README of ${packageName}`;
  } catch (error) {
    throw new Error(`the README of ${packageName}: ${error.message}${server.tail()}`, { cause: error });
  } finally {
    await server.close();
  }
}

function servicesAt({ origin, lacks }) {
  return { origin, other: other.origins[0].origin, lacks: lacks.join() };
}

function checkReport({ count, failures, engines }, runtime) {
  if (failures.length > 0) throw new Error(`${failures.length} of ${count} checks failed\n${failures.join('\n')}`);
  if (!(count > 0)) throw new Error('no check ran');
  for (const [area, engine] of Object.entries(runtime.engines ?? {})) {
    if (engines[area] !== engine) throw new Error(`${area} was to use ${engine}, but used ${engines[area]}`);
  }
}

function report(outcome, name, text) {
  counts[outcome]++;
  console.log(`${LABELS[outcome]} ${name.padEnd(21)} ${text}`);
}
