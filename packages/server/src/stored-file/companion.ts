import { lstat } from 'node:fs/promises';
import type { SourceStat } from '@htskit/io';

/**
 * Returns whether there is a file that is not older than the one it was made of. What overwrites a file may restore its modification
 * time, but not the time of the last change.
 */
export async function isCurrentFile(path: string, original: string): Promise<boolean> {
  try {
    const [file, other] = await Promise.all([lstat(path), lstat(original)]);
    return file.isFile() && file.mtimeMs >= other.mtimeMs && file.ctimeMs >= other.ctimeMs;
  } catch {
    return false;
  }
}

/**
 * Returns whether an object was made of this version of another: as its writer recorded, or because it is not older. Without both
 * times, it may be.
 */
export function isMadeOf(companion: SourceStat | undefined, { version, modifiedAt = Infinity }: SourceStat): boolean {
  if (companion?.origin !== undefined) return companion.origin === version;
  return (companion?.modifiedAt ?? -Infinity) >= modifiedAt;
}
