import { stat } from 'node:fs/promises';

/** The first of some paths that leads to the same file as another one, by whatever links. Those that lead nowhere do not. */
export async function findSameFile(path: string, others: readonly string[]): Promise<string | undefined> {
  const target = await stat(path, { bigint: true }).catch(() => undefined);
  if (target === undefined) return undefined;
  for (const other of others) {
    const { dev, ino } = (await stat(other, { bigint: true }).catch(() => undefined)) ?? {};
    if (target.dev === dev && target.ino === ino) return other;
  }
  return undefined;
}
