import { SequenceDigester, type SequenceDigests } from '@htskit/digest';
import type { ObjectStore } from '@htskit/io';
import { memoryStore } from '@htskit/storage/memory';

export interface StoredText {
  readonly name: string;
  /** The characters that are digested. */
  readonly text: string;
  readonly alphabet: string;
  readonly bytes: Uint8Array;
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export function digestsOf(text: string): SequenceDigests {
  return new SequenceDigester({ characters: 'sam' }).update(encode(text)).digest();
}

/** Packs codes, the first in the highest bits. */
export function packCodes(codes: readonly number[], bits: number): Uint8Array {
  const text = codes.map((code) => code.toString(2).padStart(bits, '0')).join('');
  return Uint8Array.from({ length: Math.ceil(text.length / 8) }, (_, at) =>
    Number.parseInt(text.slice(8 * at, 8 * at + 8).padEnd(8, '0'), 2),
  );
}

export function packText(text: string, bits: number, letters: string): Uint8Array {
  return packCodes(
    Array.from(text, (letter) => letters.indexOf(letter)),
    bits,
  );
}

export const MANIFEST = {
  version: 1,
  mode: 'Encoded',
  seqdata_path_template: 'sequences/%s2/%s.seq',
  collections_path_template: 'collections/%s.rgsi',
  sequence_index: 'sequences.rgsi',
  sequence_alias_namespaces: ['refseq'],
};

/** Creates a RefgetStore in memory with the layout of gtars. */
export async function buildRgstore(
  sequences: readonly StoredText[],
  manifest: object = MANIFEST,
): Promise<ObjectStore> {
  const store = memoryStore();
  const rows = ['#name\tlength\talphabet\tsha512t24u\tmd5\tdescription'];
  const aliases: string[] = [];
  for (const { name, text, alphabet, bytes } of sequences) {
    const { length, md5, sha512t24u } = digestsOf(text);
    const digest = sha512t24u.slice(3);
    rows.push([name, length, alphabet, digest, md5, ''].join('\t'));
    aliases.push(`NC_${name}.1\t${digest}`);
    await store.put(`sequences/${digest.slice(0, 2)}/${digest}.seq`, bytes);
  }
  await store.put('rgstore.json', encode(JSON.stringify(manifest)));
  await store.put('sequences.rgsi', encode(`${rows.join('\n')}\n`));
  await store.put('aliases/sequences/refseq.tsv', encode(`${aliases.join('\n')}\n`));
  return store;
}
