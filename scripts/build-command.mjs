// Bundles the `htskit` command into packages/server/dist/cli.js and dist/command, with the scripts of its worker threads. A command
// then loads a few files with what it runs, in a third of the time that the modules of all packages take.
//
// Usage: node scripts/build-command.mjs
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WORKERS, writeBundle } from './bundle/bundle.mjs';
import { licenceTexts } from './licences.mjs';

const server = fileURLToPath(new URL('../packages/server', import.meta.url));
const dist = `${server}/dist`;

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
    test: /\/packages\/(?:(?:io|protocol|bgzf)\/src\/(?!.*-worker\.ts)|digest\/src\/sequence-identifier|formats\/src\/records\/region-text)/,
    priority: 1,
  },
  // Apart, so that commands that read no records do not load it.
  {
    name: 'records',
    test: /\/packages\/(?:formats\/src\/(?:bam|bcf|bytes|convert|cram|records|vcf)|htsget\/src\/transform)\/(?!.*-worker)/,
    minShareCount: 3,
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
  rmSync(`${dist}/command`, { recursive: true, force: true });
  const bundled = await writeBundle({
    programs: { cli: `${server}/src/cli.ts` },
    workers: WORKERS,
    files: FILES,
    dir: dist,
    folder: 'command',
    external: EXTERNAL,
    output: { codeSplitting: { groups: SHARED }, sourcemap: true, sourcemapExcludeSources: true },
  });
  writeFileSync(`${dist}/command/licences.txt`, licenceTexts(bundled));
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) await buildCommand();
