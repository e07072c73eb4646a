import { type ObjectStore, StorageError } from '@htskit/io';
import { SequenceObject } from './object/sequence-object.js';
import { SequenceStoreError } from './sequence-store-error.js';
import { isStored, readText } from './store-entries.js';
import {
  ALIASES_PREFIX,
  aliasKey,
  authorityKey,
  factKey,
  isTrunc512,
  MD5_PREFIX,
  METADATA_PREFIX,
  md5Key,
  md5OfKey,
  parseAliasKey,
  parseFactKey,
  SEQUENCES_PREFIX,
  sequenceKey,
  trunc512OfKey,
} from './store-layout.js';

/** The store to verify, and how to report its problems. */
export interface Verification {
  readonly store: ObjectStore;
  readonly signal: AbortSignal | undefined;
  readonly report: (key: string, problem: string) => void;
}

export interface EntrySummary {
  readonly aliases: number;
  /** Missing ways to a sequence, as an interrupted import leaves them. They are not findings; importing again adds them. */
  readonly incomplete: number;
}

/** Follows every way to a sequence and reports those that lead to no sequence or to another one. */
export async function verifyEntries(verification: Verification): Promise<EntrySummary> {
  const incompleteMd5s = await verifyMd5s(verification);
  const incompleteAliases = await verifyFacts(verification);
  const { aliases, incomplete } = await verifyAliases(verification);
  return { aliases, incomplete: incompleteMd5s + incompleteAliases + incomplete };
}

/** Returns the number of sequences that no MD5 leads to. */
async function verifyMd5s({ store, signal, report }: Verification): Promise<number> {
  for await (const key of store.list(MD5_PREFIX, { signal })) {
    const problem = await problemOfMd5(store, key);
    if (problem !== undefined) report(key, problem);
  }
  let incomplete = 0;
  for await (const key of store.list(SEQUENCES_PREFIX, { signal })) {
    const md5 = await md5Of(store, trunc512OfKey(key) ?? '');
    if (md5 && !(await isStored(store, md5Key(md5)))) incomplete++;
  }
  return incomplete;
}

async function problemOfMd5(store: ObjectStore, key: string): Promise<string | undefined> {
  const md5 = md5OfKey(key) ?? '';
  if (md5Key(md5) !== key) return 'the key is not that of an MD5';
  try {
    const trunc512 = await readText(store, key);
    // Undefined if the object was removed after it was listed.
    if (trunc512 === undefined) return undefined;
    if (!isTrunc512(trunc512)) return 'the object does not hold a TRUNC512';
    const found = await md5Of(store, trunc512);
    if (found === undefined) return 'the sequence does not exist';
    return found !== '' && found !== md5 ? 'the sequence has another MD5' : undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Returns the MD5 of a sequence, '' if its object is damaged (which has been reported), or undefined if there is none. */
async function md5Of(store: ObjectStore, trunc512: string): Promise<string | undefined> {
  if (!isTrunc512(trunc512)) return undefined;
  try {
    const object = await SequenceObject.open(store, trunc512);
    await object?.close();
    return object?.header.digests.md5;
  } catch (error) {
    problemOf(error);
    return '';
  }
}

/** Returns the number of aliases that a sequence has but that do not lead to it. */
async function verifyFacts({ store, signal, report }: Verification): Promise<number> {
  let incomplete = 0;
  for await (const key of store.list(METADATA_PREFIX, { signal })) {
    const known = parseFactKey(key);
    if (known === undefined || factKey(known.trunc512, known.fact) !== key) {
      report(key, 'the key is not that of a fact about a sequence');
    } else if (!(await isStored(store, sequenceKey(known.trunc512)))) {
      report(key, 'the sequence does not exist');
    } else if (known.fact.kind === 'alias' && !(await isStored(store, aliasKey(known.trunc512, known.fact)))) {
      incomplete++;
    }
  }
  return incomplete;
}

/** Counts the aliases, and as incomplete those that their sequence does not list and authorities that are not recorded. */
async function verifyAliases({ store, signal, report }: Verification): Promise<EntrySummary> {
  const summary = { aliases: 0, incomplete: 0 };
  const authorities = new Set<string>();
  for await (const key of store.list(ALIASES_PREFIX, { signal })) {
    const known = parseAliasKey(key);
    if (known === undefined || aliasKey(known.trunc512, known.alias) !== key) {
      report(key, 'the key is not that of an alias');
    } else if (!(await isStored(store, sequenceKey(known.trunc512)))) {
      report(key, 'the sequence does not exist');
    } else {
      summary.aliases++;
      authorities.add(known.alias.namingAuthority);
      const fact = factKey(known.trunc512, { kind: 'alias', ...known.alias });
      if (!(await isStored(store, fact))) summary.incomplete++;
    }
  }
  for (const authority of authorities) if (!(await isStored(store, authorityKey(authority)))) summary.incomplete++;
  return summary;
}

/** Returns what is wrong with an object that cannot be read, such as one on a damaged disk. Rethrows any other failure. */
export function problemOf(error: unknown): string {
  if (error instanceof SequenceStoreError) return error.message;
  if (error instanceof StorageError && error.code !== 'ABORTED') return error.message;
  throw error;
}
