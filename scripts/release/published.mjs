// Checks packages that a registry has: their manifests, and that they work once npm has installed them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../runtimes/command.mjs';
import { publishedNames } from '../tarballs.mjs';
import { compileDeclarations } from './declarations.mjs';
import { followReadmes } from './readmes.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TIMEOUT_SECONDS = 300;

const REQUESTS = `import { handler } from './handler.mjs';
const statusFor = async (headers) =>
  (await handler(new Request('http://127.0.0.1:3000/reads/reads?referenceName=chr1', { headers }))).status;
console.log(await statusFor({}), await statusFor({ authorization: 'Bearer secret' }));
`;

/** Checks all packages of a registry with files in `scratch`. Rejects if one is not as it should be. */
export async function checkPublished({ registry, scratch }) {
  const names = publishedNames();
  for (const name of names) await checkManifest(name, registry);
  console.log(`the registry has ${names.length} packages at their versions`);
  const env = { ...process.env, NPM_CONFIG_LOGLEVEL: 'error', 'npm_config_@htskit:registry': registry };
  await followReadmes({ scratch, env });
  const folder = join(scratch, 'installed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const run = (command, ...args) => runCommand(command, args, { cwd: folder, env, timeoutSeconds: TIMEOUT_SECONDS });
  await run('npm', 'install', ...names.map((name) => `@htskit/${name}`));
  await runReadme(folder, run);
  compileImports(folder);
  await compileDeclarations(root, folder);
}

/** Checks what npm shows of a package: its version, and that libraries of ours are ranges from their versions on. */
async function checkManifest(name, registry) {
  const { version } = readManifest(name);
  if (version === '0.0.0') throw new Error(`no changeset gives @htskit/${name} a version`);
  const response = await fetch(new URL(`@htskit%2f${name}`, registry));
  const { 'dist-tags': tags, versions } = await response.json();
  if (tags?.latest !== version) throw new Error(`the registry has @htskit/${name} ${tags?.latest}, not ${version}`);
  const { dependencies = {}, peerDependencies = {} } = versions[version];
  for (const [dependency, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
    const [, own] = /^@htskit\/(.+)$/.exec(dependency) ?? [];
    const isRange = own === undefined ? !/^\d/.test(range) : range === `^${readManifest(own).version}`;
    if (!isRange) throw new Error(`@htskit/${name} depends on ${dependency} ${range}`);
  }
}

function readManifest(name) {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
}

/** Runs the programs of the README of the repository. Rejects if one fails or prints something else. */
async function runReadme(folder, run) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [digest, handler] = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, program]) => program);
  for (const file of ['reads.bam', 'reads.bam.bai']) cpSync(join(root, 'fixtures', file), join(folder, file));
  for (const [file, program, expected] of [
    ['digest.mjs', digest, /^12 [0-9a-f]{32} SQ\.[\w-]{32}\n$/],
    ['handler.mjs', handler, /^$/],
    ['requests.mjs', REQUESTS, /^401 200\n$/],
  ]) {
    writeFileSync(join(folder, file), program);
    const printed = await run('node', file);
    if (!expected.test(printed)) throw new Error(`${file} of the README printed ${printed}`);
  }
  console.log('the programs of the README of the repository run');
}

/**
 * Compiles a program that imports every package, with the declarations of all that they need (`skipLibCheck: false`). Optional
 * peers are not installed, so that no declaration may need them. Throws if it does not compile.
 */
function compileImports(folder) {
  const names = publishedNames().filter((name) => name !== 'adapters');
  const identifier = (name) => name.replaceAll('-', '_');
  const lines = names.map((name) => `export * as ${identifier(name)} from '@htskit/${name}';\n`);
  writeFileSync(join(folder, 'imports.ts'), lines.join(''));
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    typeRoots: [join(root, 'node_modules', '@types')],
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['imports.ts'] }));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, ['--project', folder], { stdio: 'inherit', shell: process.platform === 'win32' });
  console.log(`the types of ${names.length} packages compile`);
}
