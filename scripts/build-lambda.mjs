// Bundles deploy/lambda into htskit-lambda.zip, and prints its size. The folder `function` beside it has the same files.
//
// Usage: node scripts/build-lambda.mjs [FOLDER]      The default folder is deploy/lambda/dist.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { WORKERS, writeBundle } from './bundle/bundle.mjs';
import { licenceTexts } from './licences.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = join(root, 'deploy/lambda/src');

/** The Node.js runtimes of Lambda have this SDK. */
const EXTERNAL = /^@aws-sdk\/|^@opentelemetry\//;

/** The files that modules find beside themselves. There is no page. */
const FILES = { 'package.json': 'package.json', 'page/': 'page/' };

/** The code of every ticket, as one chunk: each takes half a millisecond to find and to link. Scripts of workers stay alone. */
const SHARED = [
  { name: 'tickets', test: /\/packages\/(?:io|protocol|http|bgzf|storage|indexes)\/src\/(?!.*-worker(?:\.node)?\.ts)/ },
];

/** The time of all files in the zip, so that the same code is the same zip. */
const TIME = new Date(2020, 0, 1);

/** Builds the function and its zip, and returns their paths. Throws if an import cannot be resolved. */
export async function buildLambda(dist) {
  const [folder, zip] = [join(dist, 'function'), join(dist, 'htskit-lambda.zip')];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundled = await writeBundle({
    programs: Object.fromEntries(['streamed', 'buffered'].map((name) => [name, join(sources, `${name}.ts`)])),
    workers: WORKERS,
    files: FILES,
    dir: folder,
    folder: 'lib',
    external: EXTERNAL,
    output: { minify: true, codeSplitting: { groups: SHARED } },
  });
  writeFileSync(join(folder, 'licences.txt'), licenceTexts(bundled));
  const { version } = JSON.parse(readFileSync(join(root, 'packages/server/package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', version }));
  writeFileSync(zip, zipSync(readTree(folder), { level: 9, mtime: TIME }));
  return { folder, zip };
}

/** Returns the files below a folder by their paths, as the zip has them. */
function readTree(folder) {
  const names = readdirSync(folder, { recursive: true }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name))]));
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  const [dist = join(root, 'deploy/lambda/dist')] = process.argv.slice(2);
  const { zip } = await buildLambda(dist);
  console.log(`${relative(process.cwd(), zip)}: ${(statSync(zip).size / 1e6).toFixed(2)} MB`);
}
