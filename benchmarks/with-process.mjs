import { once } from 'node:events';

/**
 * Returns the result of `use`, which is called with a new process. The process is ended afterwards, and if this one
 * exits earlier.
 */
export async function withProcess(child, use) {
  const exited = once(child, 'exit');
  const end = () => child.kill();
  process.once('exit', end);
  try {
    return await use(exited);
  } finally {
    process.off('exit', end);
    end();
    await exited;
  }
}
