// Imports a FASTA into a folder and kills its own process after a number of steps: the start of an object, each of its chunks,
// and its end. Without a number the import runs to the end.
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';

const [path, folder, steps] = process.argv.slice(2);
let left = steps === undefined ? Number.POSITIVE_INFINITY : Number(steps);

function step() {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

async function* stepped(chunks) {
  for await (const chunk of chunks) {
    yield chunk;
    step();
  }
}

const store = folderStore(folder);
const mortal = {
  source: (key, options) => store.source(key, options),
  list: (prefix, options) => store.list(prefix, options),
  delete: (key, options) => store.delete(key, options),
  async put(key, content, options) {
    step();
    const steppedContent =
      content instanceof Uint8Array ? content : { size: content.size, chunks: stepped(content.chunks) };
    await store.put(key, steppedContent, options);
    step();
  },
};
await importFasta({ store: mortal, data: fileSource(path), namingAuthority: 'test', circular: new Set(['r1']) });
