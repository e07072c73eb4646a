import { SequenceDigester } from '@htskit/digest';
import type { ObjectStore } from '@htskit/io';
import { memorySource, memoryStore } from '@htskit/storage/memory';
import type { Sequence } from '../../src/sequence.js';
import { type ImportFastaOptions, importFasta } from '../../src/store/import-fasta.js';
import { openSequenceStore } from '../../src/store/sequence-store.js';
import { sequenceKey } from '../../src/store/store-layout.js';
import { toBytes } from './random-bases.js';

/** Formats records as FASTA with lines of 60 letters. */
export function toFasta(records: Readonly<Record<string, string>>): Uint8Array {
  const text = Object.entries(records).map(([name, bases]) => `>${name}\n${bases.replaceAll(/.{1,60}/g, '$&\n')}`);
  return toBytes(text.join(''));
}

/** Imports records into a store, by default a new one in memory. */
export async function store(
  records: Readonly<Record<string, string>>,
  options: Partial<ImportFastaOptions> = {},
): Promise<ObjectStore> {
  const to = options.store ?? memoryStore();
  await importFasta({ data: memorySource(toFasta(records)), ...options, store: to });
  return to;
}

export function trunc512Of(bases: string): string {
  return new SequenceDigester().update(toBytes(bases)).digest().trunc512;
}

/** Returns the key of the object of a sequence. */
export function keyOf(bases: string): string {
  return sequenceKey(trunc512Of(bases));
}

/** Opens the store and finds a sequence in it. Throws if there is none. */
export async function findIn(objects: ObjectStore, bases: string): Promise<Sequence> {
  const [found] = await (await openSequenceStore(objects)).find({ kind: 'trunc512', digest: trunc512Of(bases) });
  if (found === undefined) throw new Error('the sequence is not found');
  return found;
}
