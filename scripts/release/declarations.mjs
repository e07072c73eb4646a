// Compiles what programs in TypeScript see of the packages: their declarations, and the ```ts blocks of the READMEs.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The oldest version that htskit supports (its declarations need `Uint8Array<ArrayBuffer>`), one between, and the newest. */
const TYPESCRIPT = { 5.7: '5.7.3', 5.9: '5.9.3', '7.0': '7.0.2' };
const NODE_TYPES = { 20: '20.19.43', 22: '22.20.5', 26: '26.6.6' };
/** The packages that the READMEs import besides htskit. A declaration that no entry point reaches imports the first one. */
const PEERS = {
  '@opentelemetry/sdk-trace-base': '2.12.1',
  '@types/express': '5.0.6',
  express: '5.3.0',
  fastify: '5.12.8',
  'generic-filehandle2': '2.1.10',
  hono: '4.13.19',
};
const LIBS = { ES2022: ['ES2022'], ESNext: ['ESNext', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] };
/**
 * By the version of the types of Node: each version of TypeScript and each version of those types occurs with each `lib`. A
 * declaration fails by its syntax, which depends on TypeScript alone, or by a global name, which `lib` and the types of Node
 * declare. The other twelve combinations would add nothing but time. Those of a line run at once.
 */
const COMBINATIONS = {
  20: { 5.7: 'ESNext', '7.0': 'ES2022' },
  22: { 5.9: 'ES2022', '7.0': 'ESNext' },
  // The types of Node 26 and the DOM of TypeScript 5.7 contradict each other.
  26: { 5.7: 'ES2022', 5.9: 'ESNext' },
};
/** Texts of blocks that need the DOM. */
const DOM = /\bdocument\b|generic-filehandle2/;

/**
 * Compiles every declaration and every block without `skipLibCheck` in a folder where the packages are installed by npm,
 * strictly and in all combinations. Rejects if one does not compile.
 */
export async function compileDeclarations(root, folder) {
  installVersions(folder);
  const scope = 'node_modules/@htskit';
  const declarations = readdirSync(join(folder, scope), { recursive: true })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => `${scope}/${name}`);
  const blocks = writeBlocks(root, folder);
  const failed = [];
  for (const [node, runs] of Object.entries(COMBINATIONS)) {
    selectNodeTypes(folder, node);
    const compiling = Object.entries(runs).map(async ([typescript, lib]) => {
      const used = blocks.filter(({ needsDom }) => !needsDom || lib !== 'ES2022').map(({ name }) => name);
      const output = await compile(folder, { typescript, lib: LIBS[lib], files: [...declarations, ...used] });
      if (output !== '') failed.push(`with TypeScript ${typescript}, @types/node ${node} and ${lib}:\n${output}`);
    });
    await Promise.all(compiling);
  }
  const what = `${declarations.length} declarations and ${blocks.length} blocks of READMEs`;
  if (failed.length > 0) throw new Error(`${what} do not compile ${failed.join('\n')}`);
  console.log(`${what} compile with TypeScript ${Object.values(TYPESCRIPT).join(', ')}`);
}

function installVersions(folder) {
  const aliases = (prefix, versions, name) =>
    Object.entries(versions).map(([version, exact]) => `${prefix}-${version}@npm:${name}@${exact}`);
  const packages = [
    ...aliases('typescript', TYPESCRIPT, 'typescript'),
    ...aliases('types-node', NODE_TYPES, '@types/node'),
    ...Object.entries(PEERS).map(([name, version]) => `${name}@${version}`),
  ];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], { cwd: folder });
}

/** Writes the ```ts blocks of the READMEs of the repository and the published packages as programs. */
function writeBlocks(root, folder) {
  mkdirSync(join(folder, 'blocks'));
  const scopes = readdirSync(join(folder, 'node_modules', '@htskit'));
  return ['.', ...scopes.map((name) => `packages/${name}`)].flatMap((home) => {
    const readme = readFileSync(join(root, home, 'README.md'), 'utf8');
    return Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, block], index) => {
      const name = `blocks/${home === '.' ? 'htskit' : home.split('/')[1]}-${index}.ts`;
      writeFileSync(join(folder, name), block);
      return { name, needsDom: DOM.test(block) };
    });
  });
}

/** Makes one version the types of Node for all packages, since the types of Express ask for them, too. */
function selectNodeTypes(folder, version) {
  const types = join(folder, 'node_modules', '@types', 'node');
  rmSync(types, { recursive: true, force: true });
  symlinkSync(`../types-node-${version}`, types);
}

/** Compiles files with one version of TypeScript. Resolves to the errors, or to an empty string. */
async function compile(folder, { typescript, lib, files }) {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib,
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const project = join(folder, `tsconfig.${typescript}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  const tsc = join(folder, 'node_modules', `typescript-${typescript}`, 'bin', 'tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '--project', project]);
    return '';
  } catch ({ stdout, stderr }) {
    return `${stdout}${stderr}`;
  }
}
