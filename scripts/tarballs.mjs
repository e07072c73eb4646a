// Packs packages as they are published. Run as a program, it writes the tarballs of all of them to `tarballs/`; `--check`
// also installs these with npm alone, runs the command that they contain and the programs of the README, and compiles
// their declarations.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileDeclarations } from './declarations.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const shell = process.platform === 'win32';

/** Packs built packages, named by their folders, into an empty folder. Returns the paths of the tarballs. */
function packPackages(names, folder) {
  const filters = names.flatMap((name) => ['--filter', `@htskit/${name}`]);
  const args = ['-r', ...filters, 'pack', '--pack-destination', folder];
  execFileSync('pnpm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell });
  return readdirSync(folder).map((file) => join(folder, file));
}

/** Packs built packages, named by their folders, and unpacks them in `node_modules` of a folder, as `npm install` would. */
export function installPacked(names, tree) {
  const packed = join(tree, 'packed');
  mkdirSync(packed);
  for (const archive of packPackages(names, packed)) {
    const folder = mkdtempSync(join(packed, 'unpacked-'));
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
    const { name } = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8'));
    cpSync(join(folder, 'package'), join(tree, 'node_modules', name), { recursive: true });
  }
}

/** The packages that are published. */
export function publishedNames() {
  return readdirSync(join(root, 'packages')).filter((name) => {
    return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).private !== true;
  });
}

/** Installs tarballs in an empty folder, and runs `htskit` there. Rejects if a command fails or prints something else. */
async function checkCommand(tarballs) {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-tarballs-'));
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8', shell });
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs);
    const version = run('npx', 'htskit', '--version').trim();
    const expected = readFileSync(join(root, 'fixtures', 'genome.fa.fai'), 'utf8')
      .trim()
      .split('\n').length;
    const lines = run('npx', 'htskit', 'digest', join(root, 'fixtures', 'genome.fa'))
      .trim()
      .split('\n');
    if (lines.length !== expected)
      throw new Error(`htskit digest printed ${lines.length} lines instead of ${expected}`);
    const list = JSON.parse(run('npx', 'htskit', 'ticket', '--json', join(root, 'fixtures', 'reads.bam'), 'chr1'));
    if (!(list.segments?.length > 0)) throw new Error('htskit ticket printed no segments');
    console.log(`htskit ${version} runs from its tarballs`);
    runReadme(folder, run);
    compileImports(folder);
    await compileDeclarations(root, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const REQUESTS = `import { handler } from './handler.mjs';
const statusFor = async (headers) =>
  (await handler(new Request('http://127.0.0.1:3000/reads/reads?referenceName=chr1', { headers }))).status;
console.log(await statusFor({}), await statusFor({ authorization: 'Bearer secret' }));
`;

/** Runs the programs of the README of the repository. Throws if one fails or prints something else. */
function runReadme(folder, run) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [digest, handler] = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, program]) => program);
  for (const file of ['reads.bam', 'reads.bam.bai']) cpSync(join(root, 'fixtures', file), join(folder, file));
  for (const [file, program, expected] of [
    ['digest.mjs', digest, /^12 [0-9a-f]{32} SQ\.[\w-]{32}\n$/],
    ['handler.mjs', handler, /^$/],
    ['requests.mjs', REQUESTS, /^401 200\n$/],
  ]) {
    writeFileSync(join(folder, file), program);
    const printed = run('node', file);
    if (!expected.test(printed)) throw new Error(`${file} of the README printed ${printed}`);
  }
  console.log('the programs of the README run with the tarballs');
}

/**
 * Compiles a program that imports every package, with the declarations of all that they need (`skipLibCheck: false`). Optional
 * peers are not installed, so that no declaration may need them. Throws if it does not compile.
 */
function compileImports(folder) {
  const names = publishedNames().filter((name) => name !== 'adapters');
  const lines = names.map((name) => `export * as ${name} from '@htskit/${name}';\n`);
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
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['--project', folder], { stdio: 'inherit', shell });
  console.log(`the types of ${names.length} packages compile`);
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(root, 'tarballs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const tarballs = packPackages(publishedNames(), folder);
  console.log(`wrote ${tarballs.length} tarballs to tarballs/`);
  if (process.argv.includes('--check')) await checkCommand(tarballs);
}
