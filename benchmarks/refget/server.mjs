// The server of serve.mjs in a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Gives what `use` makes of the server: its port, and how many bytes of memory it has. */
export async function withServer(paths, use) {
  const child = fork(fileURLToPath(new URL('serve.mjs', import.meta.url)), [JSON.stringify(paths)]);
  try {
    const [{ port }] = await once(child, 'message');
    const residentBytes = async () => {
      child.send('');
      const [{ rss }] = await once(child, 'message');
      return rss;
    };
    return await use({ port, residentBytes });
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}
