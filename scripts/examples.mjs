// Runs the commands in the READMEs of `examples/` and `deploy/workers`, or of those that are named, against the packages as they are published,
// and checks the types of their programs:
//
//   pnpm run examples [NAME…]
//
// Prints a line for each, and exits with 1 if one fails. If a program or a runtime is not available, its example is skipped;
// if CI is set, it fails.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { s3ObjectStore } from '../packages/storage/dist/s3/index.js';
import { S3Server } from '../packages/testing/dist/index.js';
import { findChromium } from '../runtimes/chromium.mjs';
import { runCommand } from '../runtimes/command.mjs';
import { startListener } from '../runtimes/listener.mjs';
import { installRuntime, Unavailable } from '../runtimes/runtime-install.mjs';
import { RUNTIMES } from '../runtimes/runtimes.mjs';
import { findSamtools } from '../runtimes/samtools.mjs';
import { checkCoverage } from './examples/coverage.mjs';
import { runSession } from './examples/session.mjs';
import { commandOf, copyExample, createExamples, EXAMPLES } from './examples/tree.mjs';
import { findPorts } from './servers/run-server.mjs';

/** More at once would not be faster on two processors. */
const AT_ONCE = 2;
const TIMEOUT_SECONDS = 120;
const LABELS = { passed: 'ok   ', failed: 'FAIL ', skipped: 'skip ' };
/** The examples that need another runtime than the Node that runs this script, and its command. */
const OTHER_RUNTIMES = { deno: 'deno', bun: 'bun', workers: 'node24' };
const KEYS = { accessKeyId: 'EXAMPLE', secretAccessKey: 'example-secret' };

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const fixtures = new URL('../fixtures/', import.meta.url);
const names = process.argv.slice(2);
const unknown = names.filter((name) => !EXAMPLES.includes(name));
if (unknown.length > 0) {
  console.error(`unknown example: ${unknown.join(', ')}; there are ${EXAMPLES.join(', ')}`);
  process.exit(2);
}
const isCi = process.env.CI === 'true';
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const waiting = EXAMPLES.filter((name) => names.length === 0 || names.includes(name));
const runtimes = new Map(
  waiting.filter((name) => name in OTHER_RUNTIMES).map((name) => [name, Promise.allSettled([findRuntime(name)])]),
);
const tree = await createExamples();
const service = await startListener(process.execPath, [commandOf(tree), 'serve', 'fixtures', '--port', '0'], {
  cwd: tree,
  env: process.env,
  timeoutSeconds: TIMEOUT_SECONDS,
});
const bucket = await startBucket();
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
await Promise.all([service.close(), bucket.close()]);
console.log(`examples: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;

function findRuntime(name) {
  return installRuntime(RUNTIMES.find((runtime) => runtime.name === OTHER_RUNTIMES[name]));
}

/** A bucket with the reads of the fixtures. */
async function startBucket() {
  const server = await S3Server.start({ keys: KEYS });
  const store = s3ObjectStore({
    endpoint: server.endpoint,
    bucket: server.bucket,
    forcePathStyle: true,
    credentials: KEYS,
  });
  for (const name of ['reads.bam', 'reads.bam.bai']) await store.put(name, readFileSync(new URL(name, fixtures)));
  return server;
}

async function runWaiting() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await runExample(name);
}

async function runExample(name) {
  const start = performance.now();
  try {
    if (findSamtools() === undefined) throw new Unavailable('samtools and bcftools are not installed');
    const [found] = (await runtimes.get(name)) ?? [];
    if (found?.status === 'rejected') throw found.reason;
    const [port] = await findPorts(1);
    const folder = copyExample(tree, name, { 3000: port, 8080: new URL(service.origin).port });
    const environment = environmentOf(found?.value);
    await checkTypes(name, folder, environment);
    const use = name === 'browser-coverage' ? () => checkCoverage(folder, port) : undefined;
    if (use) await findChromium();
    const count = await runSession(folder, environment, use);
    report('passed', name, `${count} commands, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    report(error instanceof Unavailable && !isCi ? 'skipped' : 'failed', name, error.message);
  }
}

function environmentOf(binary) {
  return {
    ...process.env,
    PATH: binary === undefined ? process.env.PATH : `${dirname(binary)}:${process.env.PATH}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    BUCKET: bucket.bucket,
    S3_ENDPOINT: bucket.endpoint,
    NO_UPDATE_NOTIFIER: '1',
    NPM_CONFIG_LOGLEVEL: 'error',
    DENO_NO_UPDATE_CHECK: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    WRANGLER_SEND_METRICS: 'false',
  };
}

/** Deno checks the types of its own program, and the others share a configuration unless they have one. */
async function checkTypes(name, folder, env) {
  const options = { cwd: folder, env, timeoutSeconds: TIMEOUT_SECONDS };
  if (name === 'deno') return runCommand('deno', ['check', 'server.ts'], options);
  const own = join(folder, 'tsconfig.json');
  const shared = join(folder, '..', 'tsconfig.json');
  if (!existsSync(own)) writeFileSync(own, JSON.stringify({ extends: shared, include: ['*.js'] }));
  return runCommand(process.execPath, [compiler, '--pretty', 'false', '-p', folder], options);
}

function report(outcome, name, text) {
  counts[outcome]++;
  console.log(`${LABELS[outcome]} ${name.padEnd(18)} ${text}`);
}
