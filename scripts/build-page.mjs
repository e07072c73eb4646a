// Builds the web page of the server into packages/server/dist/page, after the packages, with the JBrowse plugin that the server hosts.
// Fails if a browser loads more of it than the limit without igv.js and the API documentation, which are loaded on request.
//
// Usage: node scripts/build-page.mjs [--sizes]
import { cpSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { editIgv } from './igv-edits.mjs';
import { licenceTexts } from './licences.mjs';

const root = fileURLToPath(new URL('../packages/server/page/', import.meta.url));
/** The most bytes, compressed by gzip, of everything but these chunks. */
const MOST_BYTES = 60_000;
const ON_REQUEST = /^page\/(?:igv|docs|safe-html)-/;

const { output } = await build({
  root,
  configFile: false,
  logLevel: 'warn',
  base: './',
  plugins: [editIgv()],
  // The server replaces it by a nonce for each response.
  html: { cspNonce: 'NONCE' },
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    assetsDir: 'page',
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000,
    cssMinify: false,
    rolldownOptions: { input: { main: `${root}index.html`, docs: `${root}docs.html` } },
  },
});
const bundled = ['dompurify', 'igv', 'openapi-explorer'].map((name) =>
  fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url)),
);
writeFileSync(new URL('../packages/server/dist/page/licences.txt', import.meta.url), licenceTexts(bundled));

await import('./build-jbrowse-plugin.mjs');
const [plugin, hosted] = ['jbrowse-plugin/dist/plugin', 'server/dist/page/jbrowse'].map((path) =>
  fileURLToPath(new URL(`../packages/${path}`, import.meta.url)),
);
cpSync(plugin, hosted, { recursive: true });

const files = output.map((file) => ({ name: file.fileName, bytes: gzipSync(file.code ?? file.source).length }));
const total = files.reduce((sum, { name, bytes }) => sum + (ON_REQUEST.test(name) ? 0 : bytes), 0);
if (total > MOST_BYTES) {
  for (const { name, bytes } of files) console.error(`${String(bytes).padStart(9)}  ${name}`);
  throw new Error(`the page takes ${total} bytes compressed by gzip, more than ${MOST_BYTES}`);
}
if (process.argv.includes('--sizes')) {
  for (const { name, bytes } of files) console.log(`${String(bytes).padStart(9)}  ${name}`);
  console.log(`${String(total).padStart(9)}  without igv.js and the API documentation`);
}
