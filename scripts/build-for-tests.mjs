// The global setup of vitest. Tests run the sources, but worker threads and the command run what is built: this brings the
// build up to date, so that no test depends on a stale one. It takes a second when there is nothing to compile.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildCommand } from './build-command.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** The packages whose workers the tests start. */
const WORKER_PACKAGES = ['io', 'bgzf', 'sequences', 'catalogue'].map((name) => `packages/${name}/tsconfig.build.json`);

/** Builds now and before each rerun in watch mode. */
export default async function setup(project) {
  await build();
  project.onTestsRerun(build);
}

/** Throws if the workers do not compile. Other packages that do not compile keep their old build, with a warning. */
async function build() {
  const workerErrors = compile(WORKER_PACKAGES);
  if (workerErrors !== undefined) throw new Error(`the packages with workers do not compile:\n${workerErrors}`);
  const errors = compile(['tsconfig.build.json']) ?? (await bundle());
  if (errors !== undefined)
    process.stderr.write(`tests of the command run an old build, since this failed:\n${errors}`);
}

/** Returns the message of the bundler if it fails. */
async function bundle() {
  try {
    return await buildCommand();
  } catch (error) {
    return `${error.message}\n`;
  }
}

/** Returns the messages of the compiler if it fails. */
function compile(projects) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-b', ...projects], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? undefined : stdout + stderr;
}
