// Imports a FASTA to a folder, and ends by SIGKILL when so many steps of putting objects are done: what they are of
// begins, a chunk of it, and its end. Without a number it goes on to the end.
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
