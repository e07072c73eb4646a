// Runs serve.mjs in a separate process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Returns the result of `use`, which is called with the port of the server and a function that returns its memory in
 * bytes.
 */
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
