import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { JBROWSE_VERSION } from './jbrowse-server.js';

/** The plugins of JBrowse whose elements the tests show. */
const PLUGINS = [
  ...['alignments', 'authentication', 'config', 'linear-genome-view'],
  ...['sequence', 'svg', 'variants', 'wiggle'],
];

/** The packages of a worker: versions that registries have together. */
const MANIFEST = {
  private: true,
  type: 'module',
  dependencies: {
    ...Object.fromEntries(['core', 'product-core', ...PLUGINS.map((name) => `plugin-${name}`)].map(toDependency)),
    '@emotion/react': '11.14.0',
    '@emotion/styled': '11.14.1',
    buffer: '6.0.3',
    react: '19.1.0',
    'react-dom': '19.1.0',
  },
  overrides: {
    '@gmod/bam': '7.9.1',
    '@gmod/bgzf-filehandle': '6.2.0',
    '@gmod/cram': '8.0.4',
    '@gmod/tabix': '3.3.9',
    'generic-filehandle2': '2.1.10',
  },
};

/** The worker that `@jbrowse/react-app2` has, with fewer plugins. Its modules read the globals of a page when they are loaded. */
const GLOBALS = `
const nothing = () => undefined;
const element = () => ({ style: {}, setAttribute: nothing, removeAttribute: nothing, appendChild: nothing });
self.window = { addEventListener: nothing, fetch: self.fetch.bind(self), location: self.location, Date, navigator: {} };
self.document = { createTextNode: nothing, addEventListener: nothing, querySelector: element, createElement: element,
  documentElement: {}, querySelectorAll: () => [] };
`;
const WORKER = `
import './globals.js';
${PLUGINS.map((name, index) => `import plugin${index} from '@jbrowse/plugin-${name}';`).join('\n')}
import { initializeWorker } from '@jbrowse/product-core';
import { enableStaticRendering } from 'mobx-react';
enableStaticRendering(true);
initializeWorker([${PLUGINS.map((_, index) => `plugin${index}`).join(', ')}], {});
`;

function toDependency(name: string): [string, string] {
  return [`@jbrowse/${name}`, JBROWSE_VERSION];
}

/** Installs the packages of JBrowse in a folder, and builds the script of its workers. */
export async function buildJBrowseWorker(folder: string): Promise<Uint8Array> {
  const root = join(folder, 'jbrowse-worker');
  mkdirSync(root);
  writeFileSync(join(root, 'package.json'), JSON.stringify(MANIFEST));
  writeFileSync(join(root, 'globals.js'), GLOBALS);
  writeFileSync(join(root, 'worker.js'), WORKER);
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', install, { cwd: root });
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, 'worker.js'), formats: ['iife'], name: 'worker' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  if (output?.type !== 'chunk') throw new Error('there is no script');
  return Buffer.from(output.code);
}
