// Checks what deploys htskit: the Dockerfile, by docker if a daemon runs and by its steps otherwise; the configurations of
// compose.yaml and of the chart, by `htskit config check`; the chart, by helm if it is installed and by the schema of its
// values; the systemd unit; the zip of AWS Lambda and its stack; and that images and actions of others are named by digest.
//
//   pnpm run check-deploy
//
// Prints a line for each, and exits with 1 if one fails.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { S3Server } from '../packages/testing/dist/index.js';
import { runCommand } from '../runtimes/command.mjs';
import { startListener } from '../runtimes/listener.mjs';
import { runDockerfile } from './deploy/dockerfile.mjs';
import { checkLambda } from './deploy/lambda.mjs';

const TIMEOUT_SECONDS = 120;
/** The image is to stay under 120 MB compressed, with some 60 MB of Node. */
const MAX_IMAGE_BYTES = 120e6;
const MAX_APPLICATION_BYTES = 20e6;
const KEY = `base64:${Buffer.alloc(32, 1).toString('base64')}`;

const root = fileURLToPath(new URL('../', import.meta.url));
const chart = join(root, 'deploy/helm');
const requireOfServer = createRequire(new URL('../packages/server/package.json', import.meta.url));
const { parse, parseAllDocuments } = requireOfServer('yaml');
const folder = mkdtempSync(join(tmpdir(), 'htskit-deploy-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const counts = { passed: 0, failed: 0, skipped: 0 };

class Unavailable extends Error {}

await check('Dockerfile', checkSteps);
await check('docker', checkDocker);
await check('compose.yaml', checkCompose);
await check('values.yaml', checkValues);
await check('helm', checkHelm);
await check('htskit.service', checkUnit);
await check('lambda', async () => `the README's zip, and a stack of ${await checkLambda(root)} resources`);
await check('pins', checkPins);
console.log(`deploy: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;

async function check(name, run) {
  try {
    report('passed', name, await run());
  } catch (error) {
    report(error instanceof Unavailable ? 'skipped' : 'failed', name, error.message);
  }
}

function report(outcome, name, text) {
  counts[outcome]++;
  const label = { passed: 'ok   ', failed: 'FAIL ', skipped: 'skip ' }[outcome];
  console.log(`${label} ${name.padEnd(15)} ${text}`);
}

/** Returns the standard output of a command. Throws Unavailable if it is not installed. */
function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    ...options,
  });
  if (error?.code === 'ENOENT') throw new Unavailable(`${command} is not installed`);
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** Builds the image's folders, and starts its command over the fixtures. */
async function checkSteps() {
  const image = runDockerfile(root, folder);
  if (!/^[1-9]\d*(?::\d+)?$/.test(image.user ?? '')) throw new Error('the image runs as root');
  const packed = join(folder, 'app.tar.gz');
  run('tar', ['-czf', packed, '-C', image.root, 'app']);
  const { length } = readFileSync(packed);
  if (length > MAX_APPLICATION_BYTES) throw new Error(`the application takes ${length} bytes compressed`);
  cpSync(join(root, 'fixtures'), join(image.root, 'data'), { recursive: true });
  const inImage = (text) => text.replace(/^\//, `${image.root}/`).replace('0.0.0.0', '127.0.0.1');
  const args = [...image.entrypoint.slice(1), ...image.command.map(inImage), '--port', '0'];
  const options = { cwd: image.root, env: image.environment, timeoutSeconds: TIMEOUT_SECONDS };
  const server = await startListener(join(image.root, 'app/bin', image.entrypoint[0]), args, options);
  try {
    await checkService(server.origin);
    const [command, ...rest] = image.healthcheck;
    // Process 1 is another one here.
    const checkPort = (port) =>
      spawnSync(join(image.root, 'app/bin', command), [...rest, '--port', port], { env: image.environment });
    const { status, stderr } = checkPort(new URL(server.origin).port);
    if (status !== 0) throw new Error(`the health check fails: ${stderr}`);
    if (checkPort('1').status !== 1) throw new Error('the health check passes without a server');
  } finally {
    await server.close();
  }
  return `its steps build a server that is healthy, ${(length / 1e6).toFixed(1)} MB compressed without Node`;
}

async function checkService(origin) {
  const response = await fetch(`${origin}/reads/reads?referenceName=chr1&start=0&end=1000`);
  const { htsget } = await response.json();
  if (htsget?.format !== 'BAM') throw new Error(`no ticket for the fixtures: status ${response.status}`);
  const page = await fetch(origin, { headers: { accept: 'text/html' } });
  if (!(await page.text()).includes('<script')) throw new Error(`no web page: status ${page.status}`);
}

/** Builds and runs the image. */
async function checkDocker() {
  if (spawnSync('docker', ['info']).status !== 0) throw new Unavailable('no docker daemon runs');
  const tag = 'htskit:check';
  run('docker', ['build', '--quiet', '--tag', tag, root]);
  const mount = `${join(root, 'fixtures')}:/data:ro`;
  const flags = ['--detach', '--read-only', '--tmpfs', '/var/cache/htskit', '--publish', '127.0.0.1::8080'];
  const id = run('docker', ['run', ...flags, '--volume', mount, tag]).trim();
  try {
    const health = () => run('docker', ['inspect', '--format', '{{.State.Health.Status}}', id]).trim();
    const deadline = performance.now() + TIMEOUT_SECONDS * 1000;
    while (health() !== 'healthy' && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 500));
    if (health() !== 'healthy') throw new Error('the image does not become healthy');
    await checkService(`http://${run('docker', ['port', id, '8080']).trim()}`);
  } finally {
    run('docker', ['rm', '--force', id]);
  }
  const length = Number(run('sh', ['-c', `docker image save ${tag} | gzip | wc -c`]));
  if (length > MAX_IMAGE_BYTES) throw new Error(`the image takes ${length} bytes compressed`);
  return `the image is healthy, ${(length / 1e6).toFixed(0)} MB compressed`;
}

/** Checks a configuration with the built command, over the fixtures. */
async function checkConfiguration(text, environment) {
  const path = join(folder, 'htskit.yaml');
  const data = join(root, 'fixtures');
  writeFileSync(path, text.replaceAll(/(location"?: ?"?)\/data\b/g, `$1${data}`).replaceAll('/var/cache', folder));
  const cli = join(root, 'packages/server/dist/cli.js');
  // Not synchronous, because the bucket is served by this process.
  const options = { env: { ...process.env, ...environment }, timeoutSeconds: TIMEOUT_SECONDS };
  await runCommand(process.execPath, [cli, 'config', 'check', path], options);
}

/** A tag can be moved to another image, a digest cannot. */
function checkImage(image) {
  if (!/^[\w./-]+:[\w.-]*\d[\w.-]*@sha256:[\da-f]{64}$/.test(image))
    throw new Error(`${image} has no version and digest`);
}

/** Checks the images of the Dockerfile, and the images and actions of the workflows. */
function checkPins() {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const images = Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image]) => image);
  const directory = join(root, '.github/workflows');
  const workflows = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  images.push(...workflows.flatMap((text) => Array.from(text.matchAll(/^ +container: (\S+)/gm), ([, image]) => image)));
  images.forEach(checkImage);
  const actions = workflows.flatMap((text) => Array.from(text.matchAll(/^ +- uses: (.+)$/gm), ([, action]) => action));
  for (const action of actions) {
    if (!/^[\w/-]+@[\da-f]{40} # v\d[\d.]*$/.test(action)) throw new Error(`${action} has no commit and version`);
  }
  if (images.length < 3 || actions.length < 5) throw new Error('too few images and actions were found');
  return `${images.length} images and ${actions.length} actions are named by digest`;
}

async function checkCompose() {
  const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'));
  for (const [name, { build, image, volumes = [] }] of Object.entries(services)) {
    if (build === undefined) checkImage(image);
    for (const volume of volumes) {
      const [source] = volume.split(':');
      if (source.startsWith('./') && !existsSync(join(root, source)))
        throw new Error(`${name}: ${source} does not exist`);
    }
  }
  if (services.store.healthcheck === undefined) throw new Error('the store has no health check');
  for (const name of ['htskit', 'fill']) {
    if (services[name].depends_on.store?.condition !== 'service_healthy')
      throw new Error(`${name} does not wait until the store is healthy`);
  }
  const { environment, deploy } = services.htskit;
  if (deploy.replicas !== 3) throw new Error('there are not three replicas');
  const keys = { accessKeyId: environment.AWS_ACCESS_KEY_ID, secretAccessKey: 'secret' };
  const store = await S3Server.start({ keys });
  const configuration = readFileSync(join(root, 'deploy/compose/htskit.yaml'), 'utf8');
  await checkConfiguration(
    configuration.replace('s3://genomes', `s3://${store.bucket}`).replace('http://store:7070', store.endpoint),
    {
      ...environment,
      PUBLIC_URL: 'http://127.0.0.1:8080',
      HTSKIT_KEY: KEY,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
  ).finally(() => store.close());
  if (spawnSync('docker', ['compose', 'version']).status === 0) {
    const env = { ...process.env, HTSKIT_KEY: KEY, STORE_KEY: 'secret' };
    run('docker', ['compose', '--file', join(root, 'compose.yaml'), 'config', '--quiet'], { env });
  }
  return `${Object.keys(services).length} services, and a valid configuration`;
}

async function checkValues() {
  const Ajv = requireOfServer('ajv').default;
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  const validate = ajv.compile(JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')));
  if (!validate(values)) throw new Error(ajv.errorsText(validate.errors));
  if (validate({ ...values, replica: 2 })) throw new Error('the schema accepts an unknown value');
  const withPrepare = (prepare) => ({ ...values, prepare: { ...values.prepare, ...prepare } });
  if (validate(withPrepare({ parallelism: 2 }))) throw new Error('the schema accepts a job without locations');
  if (!validate(withPrepare({ parallelism: 2, locations: ['/data'] })))
    throw new Error(ajv.errorsText(validate.errors));
  await checkPrepare(['prepare', '--shares=2', ...values.prepare.args]);
  await checkConfiguration(JSON.stringify(values.config), { HTSKIT_KEY: KEY });
  return 'the values of the chart follow their schema, and its configuration is valid';
}

/** Runs the arguments of the job, as one of its pods, over a file. */
async function checkPrepare(args) {
  const data = join(folder, 'prepared');
  cpSync(join(root, 'fixtures/reads.bam'), join(data, 'reads.bam'));
  const cli = join(root, 'packages/server/dist/cli.js');
  for (const index of ['0', '1']) {
    const options = { env: { ...process.env, JOB_COMPLETION_INDEX: index }, timeoutSeconds: TIMEOUT_SECONDS };
    await runCommand(process.execPath, [cli, ...args, data], options);
  }
  for (const extension of ['.bai', '.coverage.bw'])
    if (!existsSync(join(data, `reads.bam${extension}`))) throw new Error(`prepare makes no ${extension}`);
}

/** Renders the chart as it is, with everything that is optional, and with the values of the guide. */
async function checkHelm() {
  run('helm', ['lint', '--strict', chart]);
  const all = [
    'autoscaling.enabled=true',
    'ingress.enabled=true,ingress.host=data.example.org,ingress.className=nginx,ingress.tlsSecret=tls',
    'signingKey.existingSecret=keys',
    'podDisruptionBudget.enabled=false',
    'prepare.parallelism=3,prepare.shares=7,prepare.locations={s3://genomes,/data}',
  ];
  const plain = renderChart([]);
  const full = renderChart(all.flatMap((value) => ['--set', value]));
  const [, guide] = /<<'END'\n(.*?)^END$/ms.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8'));
  const documented = renderChart(['--values', '-'], guide);
  expectKinds(plain, ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Secret', 'Service', 'ServiceAccount']);
  expectKinds(full, [
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'Service',
    'ServiceAccount',
  ]);
  const [{ spec: job }] = full.filter(({ kind }) => kind === 'Job');
  const [{ args }] = job.template.spec.containers;
  if (job.completionMode !== 'Indexed' || job.completions !== 7 || job.parallelism !== 3)
    throw new Error('the job does not have the values of prepare');
  if (args.slice(0, 2).join(' ') !== 'prepare --shares=7' || args.slice(-2).join(' ') !== 's3://genomes /data')
    throw new Error(`the job runs htskit ${args.join(' ')}`);
  const [{ data }] = plain.filter(({ kind }) => kind === 'ConfigMap');
  expectKinds(documented, [...plain.map(({ kind }) => kind), 'Ingress'].sort());
  await checkConfiguration(data['htskit.yaml'], { HTSKIT_KEY: KEY });
  return `${plain.length} objects, and ${full.length} with all options`;
}

function renderChart(args, input) {
  const text = run('helm', ['template', 'release', chart, ...args], { input });
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS();
  });
}

function expectKinds(objects, expected) {
  const kinds = objects.map(({ kind }) => kind).sort();
  if (kinds.join() !== expected.join())
    throw new Error(`the chart renders ${kinds.join()} instead of ${expected.join()}`);
}

function checkUnit() {
  const unit = readFileSync(join(root, 'deploy/systemd/htskit.service'), 'utf8');
  const path = join(folder, 'htskit.service');
  // A command that exists, because the package is not installed here.
  writeFileSync(path, unit.replaceAll(/^(Exec\w+=)htskit /gm, '$1/bin/true '));
  const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  if (error?.code === 'ENOENT') throw new Unavailable('systemd-analyze is not installed');
  const found = stderr.split('\n').filter((line) => line.includes('htskit.service'));
  if (status !== 0 || found.length > 0) throw new Error(found.join('\n') || stderr);
  return 'systemd-analyze verify finds nothing';
}
