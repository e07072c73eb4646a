import { once } from 'node:events';

/** Gives what `use` makes of a process that was just started. It is ended then, and also where this one ends before. */
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
