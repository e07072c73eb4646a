// Runs serve.mjs in a separate process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Returns the result of `use`, which is called with the ports by framework and a function that returns the memory of
 * the process in bytes.
 */
export async function withServer(paths, use) {
  const child = fork(fileURLToPath(new URL('serve.mjs', import.meta.url)), [JSON.stringify(paths)], {
    execArgv: ['--expose-gc'],
  });
  try {
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (message?.ports === undefined) throw new Error('the servers did not start');
    const residentBytes = async () => {
      child.send('');
      const [{ rss }] = await once(child, 'message');
      return rss;
    };
    return await use({ ports: message.ports, residentBytes });
  } finally {
    if (child.connected) child.disconnect();
    if (child.exitCode === null) await once(child, 'exit');
  }
}
