import { basename, join } from 'node:path';
import { build } from 'vite';

/** Bundles by entry, because several runtimes use the same one. */
const bundles = new Map();

/** Bundles a module of the tree, as an application for a runtime would be. Returns the folder of the output. */
export function bundle(options) {
  const { entry } = options;
  if (!bundles.has(entry)) bundles.set(entry, buildEntry(options));
  return bundles.get(entry);
}

async function buildEntry({ tree, entry, conditions }) {
  const outDir = join(tree, 'bundles', basename(entry, '.mjs'));
  await build({
    configFile: false,
    root: tree,
    logLevel: 'error',
    base: './',
    resolve: { conditions },
    worker: { format: 'es' },
    build: {
      outDir,
      target: 'es2022',
      modulePreload: false,
      // For readable stack traces.
      minify: false,
      rolldownOptions: {
        input: join(tree, entry),
        output: { entryFileNames: 'main.js' },
        preserveEntrySignatures: 'strict',
      },
    },
  });
  return outDir;
}
