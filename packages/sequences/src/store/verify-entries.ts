import { SequenceObject } from './sequence-object.js';
import { readText } from './store-index.js';
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
import { isStored } from './store-writes.js';
import { problemOf, type Verification } from './verify-sequences.js';

export interface EntrySummary {
  readonly aliases: number;
  /** Ways to a sequence that are missing, as where an import was broken off. That is not wrong; importing again adds them. */
  readonly incomplete: number;
}

/** Follows every way to a sequence, and tells of those that lead to none or to another one. */
export async function verifyEntries(verification: Verification): Promise<EntrySummary> {
  const incompleteMd5s = await verifyMd5s(verification);
  const incompleteAliases = await verifyFacts(verification);
  const { aliases, incomplete } = await verifyAliases(verification);
  return { aliases, incomplete: incompleteMd5s + incompleteAliases + incomplete };
}

/** Answers with the number of sequences that no MD5 leads to. */
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

async function problemOfMd5(store: Verification['store'], key: string): Promise<string | undefined> {
  const md5 = md5OfKey(key) ?? '';
  if (md5Key(md5) !== key) return 'the key is not that of an MD5';
  try {
    const trunc512 = await readText(store, key);
    // One that has gone since it was listed is not there.
    if (trunc512 === undefined) return undefined;
    if (!isTrunc512(trunc512)) return 'the object holds no TRUNC512';
    const found = await md5Of(store, trunc512);
    if (found === undefined) return 'there is no such sequence';
    return found !== '' && found !== md5 ? 'the sequence has another MD5' : undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** The MD5 of a sequence; empty where its object is damaged, which has been told; undefined where there is none. */
async function md5Of(store: Verification['store'], trunc512: string): Promise<string | undefined> {
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

/** Answers with the number of aliases that are known of a sequence, but do not lead to it. */
async function verifyFacts({ store, signal, report }: Verification): Promise<number> {
  let incomplete = 0;
  for await (const key of store.list(METADATA_PREFIX, { signal })) {
    const known = parseFactKey(key);
    if (known === undefined || factKey(known.trunc512, known.fact) !== key) {
      report(key, 'the key says nothing of a sequence');
    } else if (!(await isStored(store, sequenceKey(known.trunc512)))) {
      report(key, 'there is no such sequence');
    } else if (known.fact.kind === 'alias' && !(await isStored(store, aliasKey(known.trunc512, known.fact)))) {
      incomplete++;
    }
  }
  return incomplete;
}

/** Counts aliases, those that lead to a sequence of which they are not known, and naming authorities that are not known. */
async function verifyAliases({ store, signal, report }: Verification): Promise<EntrySummary> {
  const summary = { aliases: 0, incomplete: 0 };
  const authorities = new Set<string>();
  for await (const key of store.list(ALIASES_PREFIX, { signal })) {
    const known = parseAliasKey(key);
    if (known === undefined || aliasKey(known.trunc512, known.alias) !== key) {
      report(key, 'the key is not that of an alias');
    } else if (!(await isStored(store, sequenceKey(known.trunc512)))) {
      report(key, 'there is no such sequence');
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
