// Bundles deploy/lambda into deploy/lambda/dist/htskit-lambda.zip, and prints its size. Lambda runs what is beside it, in
// deploy/lambda/dist/function, once it is unpacked.
//
// Usage: node scripts/build-lambda.mjs
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { writeBundle } from './bundle/bundle.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const lambda = join(root, 'deploy/lambda');
export const FUNCTION = join(lambda, 'dist/function');
export const ZIP = join(lambda, 'dist/htskit-lambda.zip');

/** The Node.js runtimes of Lambda have this SDK. */
const EXTERNAL = /^@aws-sdk\/|^@opentelemetry\//;

/** The files that modules find beside themselves. There is no page. */
const FILES = { 'package.json': 'package.json', 'page/': 'page/' };

/** The time of all files in the zip, so that the same code is the same zip. */
const TIME = new Date(2020, 0, 1);

/** Builds the function and its zip. Throws if an import cannot be resolved. */
export async function buildLambda() {
  rmSync(join(lambda, 'dist'), { recursive: true, force: true });
  mkdirSync(FUNCTION, { recursive: true });
  await writeBundle({
    programs: Object.fromEntries(['streamed', 'buffered'].map((name) => [name, join(lambda, 'src', `${name}.ts`)])),
    files: FILES,
    dir: FUNCTION,
    folder: 'lib',
    external: EXTERNAL,
    output: { minify: true },
  });
  const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'));
  writeFileSync(join(FUNCTION, 'package.json'), JSON.stringify({ type: 'module', version }));
  writeFileSync(ZIP, zipSync(readTree(FUNCTION), { level: 9, mtime: TIME }));
}

/** Returns the files below a folder by their paths, as the zip has them. */
function readTree(folder) {
  const names = readdirSync(folder, { recursive: true }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name))]));
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildLambda();
  console.log(`${ZIP}: ${(statSync(ZIP).size / 1e6).toFixed(2)} MB`);
}
