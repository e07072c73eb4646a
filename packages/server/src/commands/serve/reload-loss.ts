import { isDeepStrictEqual } from 'node:util';
import { openObjects } from '@htskit/catalogue/internal';
import { BlockCache } from '@htskit/storage/cache';
import { describeError } from '../../errors.js';
import type { ServeOptions } from '../../runtime/serve.js';
import { openRemote } from '../../runtime/service/served-files.js';

type ServedOptions = Pick<
  ServeOptions,
  | 'paths'
  | 'objectLocations'
  | 'mappedLocations'
  | 'sequenceLocations'
  | 's3'
  | 'stores'
  | 'statSeconds'
  | 'blocking'
  | 'decrypt'
>;

/** The keys that name what is served, each with its locations. */
const SERVED: Readonly<Record<string, (options: ServedOptions) => readonly unknown[]>> = {
  'htsget.locations': ({ objectLocations = [], mappedLocations = [] }) => [...objectLocations, ...mappedLocations],
  'refget.sources': ({ sequenceLocations = [] }) => sequenceLocations,
};

/**
 * Returns what a configuration no longer serves, or undefined if that is no more than half of the objects. A file that is emptied
 * or cut off while it is written is often valid. Objects are listed only if a location is gone; of a bucket, one page is.
 */
export async function findLoss(current: ServedOptions, next: ServedOptions): Promise<string | undefined> {
  const lost = Object.entries(SERVED).filter(([, of]) => of(current).length > 0 && of(next).length === 0);
  if (lost.length > 0) return `the configuration no longer has ${lost.map(([key]) => key).join(', ')}`;
  const { objectLocations = [] } = next;
  const isKept = (each: unknown): boolean => objectLocations.some((other) => isDeepStrictEqual(other, each));
  if (current.objectLocations?.every(isKept) ?? true) return undefined;
  try {
    const [before, after] = await Promise.all([listNames(current), listNames(next)]);
    const lostCount = [...before].filter((name) => !after.has(name)).length;
    if (2 * lostCount <= before.size) return undefined;
    return `the configuration no longer serves ${lostCount} of ${before.size} objects`;
  } catch (error) {
    return `cannot compare the objects of the configurations: ${describeError(error)}`;
  }
}

/** Lists the names of the objects that exist now. */
async function listNames({
  paths,
  objectLocations = [],
  blocking,
  decrypt,
  ...remote
}: ServedOptions): Promise<Set<string>> {
  const storage = openRemote(remote, { cache: new BlockCache({ maxBytes: 0 }), presignSeconds: 1 });
  const opened = { paths, locations: objectLocations, storage, blocking, decrypt };
  const objects = await openObjects({ ...opened, log: () => undefined });
  try {
    return new Set((await objects.list()).map(({ id, datatype }) => `${datatype}/${id}`));
  } finally {
    await objects.close();
  }
}
