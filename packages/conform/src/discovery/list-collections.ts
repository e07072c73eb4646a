import { ConformError } from '../conform-error.js';
import type { Probe } from '../engine/probe.js';

/** Digests that a service of sequence collections lists. */
export interface ListedSequences {
  readonly collection: readonly string[];
  /** The sequences of the first collection, those that are the fastest to fetch first. */
  readonly sequence: readonly string[];
}

/** Returns the collections that a service lists, and sequences of theirs. Empty for a service that does not answer its list. */
export async function findSequences(base: string, probe: Probe, hasCollections: boolean): Promise<ListedSequences> {
  const listed = { collection: [], sequence: [] };
  if (!hasCollections) return listed;
  try {
    const collection = await listCollections(base, probe);
    const [digest] = collection;
    return {
      collection,
      sequence: digest === undefined ? [] : await listSequences(`${base}/collection/${digest}`, probe),
    };
  } catch (error) {
    if (error instanceof ConformError) return listed;
    throw error;
  }
}

/** Returns the first page of the list of collections (sequence collections 1.0.0, §3.4). */
async function listCollections(base: string, probe: Probe): Promise<readonly string[]> {
  const { status, object } = await probe.ask({ url: `${base}/list/collection` });
  return status === 200 ? textsOf(object?.['results']) : [];
}

/** Bases that a sequence needs for all rules to apply. */
const ENOUGH_BASES = 1000;

async function listSequences(url: string, probe: Probe): Promise<readonly string[]> {
  const { object } = await probe.ask({ url: `${url}?level=2` });
  const lengths: readonly unknown[] = Array.isArray(object?.['lengths']) ? object['lengths'] : [];
  const cost = (length: number): number => (length < ENOUGH_BASES ? Number.MAX_SAFE_INTEGER - length : length);
  return textsOf(object?.['sequences'])
    .map((digest, index) => ({ digest, cost: cost(Number(lengths[index])) }))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ digest }) => digest);
}

function textsOf(value: unknown): readonly string[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  return elements.filter((element) => typeof element === 'string');
}
