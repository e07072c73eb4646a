// The global setup of vitest. Tests run the sources, but worker threads and the command run what is built: this brings the
// build up to date, so that no test depends on a stale one. It takes a second when there is nothing to compile.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** Builds now and before each rerun in watch mode. */
export default function setup(project) {
  build();
  project.onTestsRerun(build);
}

function build() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-b'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the packages do not compile:\n${stdout}${stderr}`);
}
