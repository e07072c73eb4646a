// Bundles the `htskit` command into packages/server/dist/cli.js and dist/command, with the scripts of its worker threads. A command
// then loads a few files with what it runs, in a third of the time that the modules of all packages take.
//
// Usage: node scripts/build-command.mjs
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licenceTexts } from './licences.mjs';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const dist = `${packages}server/dist`;

/** The entries of the bundle: the command, and the scripts of workers. */
const ENTRIES = {
  cli: 'server/src/cli.ts',
  'codec-worker': 'bgzf/src/pool/codec-worker.ts',
  'checksum-worker': 'server/src/runtime/checksums/checksum-worker.ts',
  'coverage-worker': 'server/src/runtime/coverage/coverage-worker.ts',
  'delivery-worker': 'htsget/src/transform/delivery-worker.ts',
  'digest-worker': 'sequences/src/digest/digest-worker.ts',
  'hash-worker': 'client/src/refget/hash-worker.ts',
  'record-worker': 'records/src/ahead/record-worker.ts',
  'table-worker.node': 'catalogue/src/sequences/table/table-worker.node.ts',
};

/** Other files that modules find beside themselves, relative to `dist`. */
const FILES = { 'package.json': '../package.json', 'page/': 'page/' };

/**
 * Files that many commands load, as a few chunks: each chunk takes half a millisecond to find and to link, and they would be in
 * thirty. Scripts of workers run when they are loaded, so they stay alone.
 */
const SHARED = [
  {
    name: 'program',
    test: /\/node_modules\/commander\/|\/server\/src\/(?:terminal\/(?:escape|messages)|usage-error)/,
    priority: 1,
  },
  {
    name: 'packages',
    test: /\/packages\/(?:(?:io|protocol|bgzf)\/src\/(?!.*-worker\.ts)|digest\/src\/sequence-identifier)/,
    priority: 1,
  },
  // Apart, since it compiles WebAssembly.
  { name: 'digest', test: /\/packages\/digest\/src\/(?:wasm\/|normalize|sequence-(?:batch|digester))/ },
  // Apart from `htskit serve`, which alone estimates depths: `htskit depth` would load all of it.
  { name: 'coverage', test: /\/packages\/coverage\/src\/(?:density|depth|estimate)\// },
  {
    name: 'terminal',
    test: /\/server\/src\/(?:terminal\/|files\/|errors\.ts|service-url|commands\/command-line)|\/node_modules\/(?!\.pnpm|aws4fetch|@noble)/,
  },
];

/** Libraries that only `htskit serve`, `htskit config` and tables load, and optional ones. */
const EXTERNAL =
  /^(?:apache-arrow|hyparquet-writer|jose|jsonpath-rfc9535|re2js|pino|prom-client|proxy-addr|yaml|zod|@aws-sdk\/.*|@opentelemetry\/.*)$/;

/** Bundles the command. Throws if an import cannot be resolved. */
export async function buildCommand() {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, packages + path])),
    platform: 'node',
    external: EXTERNAL,
    resolve: { conditionNames: ['@htskit/source', 'node', 'import', 'default'] },
    onLog(_, { message }) {
      throw new Error(message);
    },
  });
  rmSync(`${dist}/command`, { recursive: true, force: true });
  const { output } = await build.write({
    dir: dist,
    entryFileNames: ({ name }) => (name === 'cli' ? '[name].js' : 'command/[name].js'),
    chunkFileNames: 'command/[name]-[hash].js',
    codeSplitting: { groups: SHARED },
    sourcemap: true,
    sourcemapExcludeSources: true,
    plugins: [{ name: 'file-urls', renderChunk }],
  });
  await build.close();
  writeFileSync(`${dist}/command/licences.txt`, licenceTexts(bundledFolders(output)));
}

/** Replaces the URLs of files beside a module with URLs that are relative to its chunk. */
function renderChunk(code, { fileName }) {
  const replaced = code.replaceAll(/new URL\("[^"]*?([^"/]+\/?)", import\.meta\.url\)/g, (_, name) => {
    const target = FILES[name] ?? `command/${name}`;
    if (FILES[name] === undefined && ENTRIES[name.replace(/\.js$/, '')] === undefined)
      throw new Error(`the bundle of the command has no ${name}`);
    return `new URL("./${relative(dirname(fileName), target)}", import.meta.url)`;
  });
  // No line moves.
  return { code: replaced, map: null };
}

/** Returns the folders of the packages of others that the bundle contains. */
function bundledFolders(output) {
  const folders = output.flatMap(({ moduleIds = [] }) =>
    moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0]),
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) await buildCommand();
