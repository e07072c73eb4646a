// What code weighs in a browser: bundled and minified by Vite, then compressed by gzip.
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Returns the bytes of a module that are loaded at once, and of the parts that are loaded on demand. `root` is where it imports. */
export async function bundleSize(module, root) {
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : undefined),
        load: (id) => (id === '\0entry' ? module : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: 'entry', preserveEntrySignatures: 'strict' },
    },
  });
  const chunks = output.filter(({ type }) => type === 'chunk');
  const initial = new Set();
  const add = (chunk) => {
    if (initial.has(chunk)) return;
    initial.add(chunk);
    for (const file of chunk.imports) add(chunks.find(({ fileName }) => fileName === file));
  };
  add(chunks.find(({ isEntry }) => isEntry));
  const weigh = (some) => some.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
  return { initial: weigh([...initial]), lazy: weigh(chunks.filter((chunk) => !initial.has(chunk))) };
}
