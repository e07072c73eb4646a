import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteSourceContract, type ContractSubject } from '@htskit/testing';
import { type FileSourceOptions, fileSource } from '../src/file.node.js';
import { memorySource } from '../src/memory.js';

byteSourceContract('memorySource', (bytes) => ({ source: memorySource(bytes) }), {
  without: ['missing', 'version', 'replace', 'bytesRead'],
});
byteSourceContract('memorySource with a version', (bytes) => ({ source: memorySource(bytes, { version: 'v1' }) }), {
  without: ['missing', 'replace', 'bytesRead'],
});
byteSourceContract('fileSource', (bytes) => createFile(bytes, {}), { without: ['bytesRead'] });
byteSourceContract('fileSource that never blocks', (bytes) => createFile(bytes, { blockingBytes: 0 }), {
  without: ['bytesRead'],
});

async function createFile(bytes: Uint8Array, options: FileSourceOptions): Promise<ContractSubject> {
  const folder = await mkdtemp(join(tmpdir(), 'htskit-contract-'));
  const path = join(folder, 'object');
  await writeFile(path, bytes);
  const source = fileSource(path, options);
  return {
    source,
    missing: fileSource(join(folder, 'missing'), options),
    replace: async (replacement) => {
      await writeFile(`${path}.new`, replacement);
      await rename(`${path}.new`, path);
    },
    dispose: async () => {
      await source.close();
      await rm(folder, { recursive: true });
    },
  };
}
