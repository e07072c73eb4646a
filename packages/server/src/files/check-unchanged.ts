import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Throws Error if a file is not as it was. */
export async function checkUnchanged(path: string, before: Stats): Promise<void> {
  const after = await stat(path);
  // Programs that copy files restore the modification time.
  if (after.size !== before.size || after.ctimeMs !== before.ctimeMs)
    throw new Error('the file changed while it was read');
}
