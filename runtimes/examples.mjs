// Runs the README examples that serve in one runtime, unchanged except for file names and the port.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const FILES = ['straddle.bam', 'straddle.bam.bai', 'genome.fa.gz'];
const fixtures = new URL('../fixtures/', import.meta.url);
const packages = new URL('../packages/', import.meta.url);

/** The text that marks the example of each runtime in a README. */
const CALLS = { bun: 'Bun.serve(', deno: 'Deno.serve(', workerd: 'export default {' };

/**
 * Writes the example of a package for a runtime to a folder of the tree, with the files that it reads. The store of the
 * example is at `storeOrigin`. Returns its path, port, mount point and store. Throws if the README has no such example.
 */
export async function writeExample({ tree, packageName, runtimeName, storeOrigin }) {
  // A separate folder: an example would refuse files that are replaced while it serves them.
  const place = `examples/${packageName}-${runtimeName}`;
  const folder = join(tree, place);
  mkdirSync(folder, { recursive: true });
  for (const name of FILES) writeFileSync(join(folder, name), readFileSync(new URL(name, fixtures)));
  const port = await findPort();
  const path = join(folder, `${packageName}-${runtimeName}.mjs`);
  const code = extractExample(packageName, runtimeName)
    .replaceAll('port: 3000', `hostname: '127.0.0.1', port: ${port}`)
    .replaceAll('3000', port)
    .replaceAll('https://store.example.org', `${storeOrigin}/files`)
    .replaceAll('reads.bam', 'straddle.bam')
    .replaceAll("fileSource('", `fileSource('${place}/`);
  writeFileSync(path, `${code}console.log('listening on http://127.0.0.1:${port}');\n`);
  const [, mount = ''] = /prefix: '([^']*)'/.exec(code) ?? [];
  return { path, port, mount, storeOrigin };
}

/** Returns the JavaScript block that serves in the runtime, without the lines for other runtimes. */
function extractExample(packageName, runtimeName) {
  const markdown = readFileSync(new URL(`${packageName}/README.md`, packages), 'utf8');
  const { [runtimeName]: own, ...others } = CALLS;
  const example = [...markdown.matchAll(/^```js\n(.*?)^```$/gms)]
    .map(([, code]) => code)
    .find((code) => code.includes(own));
  if (example === undefined) throw new Error(`the README of ${packageName} has no example with ${own}`);
  return example
    .split('\n')
    .filter((line) => !Object.values(others).some((call) => line.startsWith(call)))
    .join('\n');
}

/** Returns a port that is free now, because the examples name one. */
function findPort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
