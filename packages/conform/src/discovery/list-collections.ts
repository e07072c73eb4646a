import type { Probe } from '../engine/probe.js';

/** Returns the digests on the first page of the list of collections (sequence collections 1.0.0, §3.4). */
export async function listCollections(base: string, probe: Probe): Promise<readonly string[]> {
  const { status, object } = await probe.ask({ url: `${base}/list/collection` });
  return status === 200 ? textsOf(object?.['results']) : [];
}

export interface ListedCollections {
  readonly base: string;
  readonly probe: Probe;
  readonly collections: readonly string[];
}

/** Bases that a sequence needs for all rules to apply. */
const ENOUGH_BASES = 1000;

/** Returns the digests of the sequences of the first collection, those that are the fastest to fetch first. */
export async function listSequences({ base, probe, collections }: ListedCollections): Promise<readonly string[]> {
  const [collection] = collections;
  if (collection === undefined) return [];
  const { object } = await probe.ask({ url: `${base}/collection/${collection}?level=2` });
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
