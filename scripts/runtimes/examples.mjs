// The examples of READMEs that serve in one runtime, run there as they stand but for the names of files and the port.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const FILES = ['straddle.bam', 'straddle.bam.bai', 'genome.fa.gz'];
const fixtures = new URL('../../fixtures/', import.meta.url);
const packages = new URL('../../packages/', import.meta.url);

/** What a README's example for a runtime is told by. */
const CALLS = { bun: 'Bun.serve(', deno: 'Deno.serve(', workerd: 'export default {' };

/**
 * Writes the example of a package for a runtime to a folder of the tree, beside the files that it reads; what it reads from
 * a store is at `storeOrigin`. Its path, the port at which it is to be reached, and that store. Throws where the README has
 * no such example.
 */
export async function writeExample({ tree, packageName, runtimeName, storeOrigin }) {
  // Of its own: files that are replaced while others serve them would be refused there.
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
  return { path, port, storeOrigin };
}

/** The block of JavaScript that serves in the runtime, without the lines that do in others. */
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

/** A port that is free now: the examples name one. */
function findPort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
