import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the result of `use`, which is called with a new folder. The folder is removed at the end, also if the process
 * is interrupted.
 */
export async function withTemporaryFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const interrupt = () => process.exit(130);
  process.once('exit', remove).once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await use(folder);
  } finally {
    process.off('exit', remove).off('SIGINT', interrupt).off('SIGTERM', interrupt);
    remove();
  }
}
