import { encodeText, type ObjectStore, toHex } from '@htskit/io';
import { DIGEST_BYTES } from '../collection/sequence-collection.js';
import type { SequenceAlias } from '../sequence.js';
import { type ExportOptions, findCollection, readSequence } from '../store/export-collection.js';
import { SequenceStoreError } from '../store/sequence-store-error.js';
import { isStored, readFacts } from '../store/store-entries.js';
import type { StoredCollection } from '../store/stored-collections.js';
import { textAt } from '../table/columns.js';
import { digestsAt } from '../table/table-data.js';
import { LetterPacker } from './letter-packer.js';
import { type Alphabet, losslessAlphabet } from './rgstore-sequence.js';
import { COLLECTION_COLUMNS, rgstoreSequenceKey } from './rgstore-tables.js';

export interface ExportRgstoreOptions extends ExportOptions {
  /** Receives the RefgetStore; an empty folder, for example. */
  readonly target: ObjectStore;
  /** The digests of the collections to export. */
  readonly collections: readonly string[];
  /**
   * Whether sequences are packed, as far as an alphabet of RefgetStores represents their letters; others are stored as text.
   * Default true.
   */
  readonly isEncoded?: boolean;
}

const SEQUENCE_PATH = 'sequences/%s2/%s.seq';
const SEQUENCE_COLUMNS = '#name\tlength\talphabet\tsha512t24u\tmd5\tdescription\n';

/**
 * Writes collections of a store as a RefgetStore of gtars, version 1, with their sequences and aliases. Existing objects of
 * `target` are replaced, except for sequences of the same size.
 *
 * Throws SequenceStoreError NOT_A_STORE, UNKNOWN_COLLECTION and CORRUPT, and StorageError. Throws SequenceStoreError INVALID_NAME
 * before anything is written if the tables of a RefgetStore cannot hold a name or an alias.
 *
 * @example
 * await exportRgstore(folderStore('sequences'), { target: folderStore('rgstore'), collections: [genome.digest] });
 */
export async function exportRgstore(
  store: ObjectStore,
  { target, collections, isEncoded = true, signal }: ExportRgstoreOptions,
): Promise<void> {
  const exported = new RgstoreExport(store, { target, isEncoded, signal });
  const found: StoredCollection[] = [];
  for (const digest of new Set(collections)) found.push(await findCollection(store, digest, signal));
  for (const collection of found) await exported.addNames(collection);
  for (const collection of found) await exported.addCollection(collection);
  await exported.finish();
}

/** The rows of a sequence in the tables. */
interface ExportedSequence {
  readonly alphabet: string;
  readonly row: string;
}

class RgstoreExport {
  readonly #store: ObjectStore;
  readonly #options: Required<Pick<ExportRgstoreOptions, 'target' | 'isEncoded'>> & ExportOptions;
  /** By TRUNC512. */
  readonly #sequences = new Map<string, ExportedSequence>();
  readonly #collections: string[] = [];
  /** The sequences whose aliases were read, by TRUNC512. */
  readonly #named = new Set<string>();
  /** Lines of alias and digest, by naming authority. */
  readonly #aliases = new Map<string, string[]>();

  constructor(
    store: ObjectStore,
    options: Required<Pick<ExportRgstoreOptions, 'target' | 'isEncoded'>> & ExportOptions,
  ) {
    this.#store = store;
    this.#options = options;
  }

  /** Checks the names of a collection, and reads and checks the aliases of its sequences. Throws INVALID_NAME. */
  async addNames({ collection, columns }: StoredCollection): Promise<void> {
    for (let row = 0; row < columns.lengths.length; row++) {
      const record = `sequence ${row + 1} of collection ${collection.digest}`;
      checkName(textAt(columns.names, row), `the name of ${record}`);
      const { sha512t24u, trunc512 } = digestsAt(columns, row);
      if (this.#named.has(trunc512)) continue;
      this.#named.add(trunc512);
      for (const alias of (await readFacts(this.#store, trunc512)).aliases) {
        checkName(alias.alias, `an alias of ${record}`);
        this.#addAlias(alias, sha512t24u);
      }
    }
  }

  async addCollection({ collection, columns }: StoredCollection): Promise<void> {
    const { digest, attributes } = collection;
    const head = COLLECTION_COLUMNS.map((name) => `##${name}_digest=${attributes[name].digest}\n`).join('');
    let text = `##seqcol_digest=${digest}\n${head}${SEQUENCE_COLUMNS}`;
    for (let row = 0; row < columns.lengths.length; row++) {
      const start = DIGEST_BYTES * row;
      const trunc512 = toHex(columns.sha512t24u.subarray(start, start + DIGEST_BYTES));
      const { length, md5, sha512t24u } = digestsAt(columns, row);
      const line = (alphabet: string): string =>
        `${[textAt(columns.names, row), length, alphabet, sha512t24u.slice('SQ.'.length), md5, ''].join('\t')}\n`;
      const known = this.#sequences.get(trunc512);
      const alphabet = known?.alphabet ?? (await this.#addSequence(trunc512, sha512t24u, length));
      if (known === undefined) this.#sequences.set(trunc512, { alphabet, row: line(alphabet) });
      text += line(alphabet);
    }
    await this.#put(`collections/${digest}.rgsi`, text);
    const digests = COLLECTION_COLUMNS.map((name) => attributes[name].digest);
    this.#collections.push(`${[digest, columns.lengths.length, ...digests].join('\t')}\n`);
  }

  /** Writes the tables, and the manifest last, which makes the store complete. */
  async finish(): Promise<void> {
    const columns = COLLECTION_COLUMNS.map((name) => `${name}_digest`);
    await this.#put('sequences.rgsi', SEQUENCE_COLUMNS + [...this.#sequences.values()].map(({ row }) => row).join(''));
    await this.#put(
      'collections.rgci',
      `#${['digest', 'n_sequences', ...columns].join('\t')}\n${this.#collections.join('')}`,
    );
    for (const [authority, lines] of this.#aliases)
      await this.#put(`aliases/sequences/${authority}.tsv`, lines.join(''));
    const manifest = {
      version: 1,
      seqdata_path_template: SEQUENCE_PATH,
      collections_path_template: 'collections/%s.rgsi',
      sequence_index: 'sequences.rgsi',
      collection_index: 'collections.rgci',
      mode: this.#options.isEncoded ? 'Encoded' : 'Raw',
      // Required by gtars; the same for the same content.
      created_at: '1970-01-01T00:00:00Z',
      ancillary_digests: true,
      attribute_index: false,
      ...(this.#aliases.size > 0 && { sequence_alias_namespaces: [...this.#aliases.keys()].sort() }),
    };
    await this.#put('rgstore.json', `${JSON.stringify(manifest, null, 2)}\n`);
  }

  /** Writes a sequence and returns the name of its alphabet. */
  async #addSequence(trunc512: string, sqDigest: string, length: number): Promise<string> {
    const { target, isEncoded, signal } = this.#options;
    const letters = new Set<number>();
    for await (const bases of readSequence(this.#store, trunc512, signal)) addLetters(letters, bases);
    const { name, alphabet } = losslessAlphabet(letters);
    const size = isEncoded ? Math.ceil((length * alphabet.bits) / 8) : length;
    const bases = readSequence(this.#store, trunc512, signal);
    const key = rgstoreSequenceKey({ sequencePath: SEQUENCE_PATH }, sqDigest);
    if (!(await isStored(target, key, size))) {
      await target.put(key, { size, chunks: isEncoded ? pack(bases, alphabet) : bases }, { signal });
    }
    return name;
  }

  #addAlias({ alias, namingAuthority }: SequenceAlias, sqDigest: string): void {
    const lines = this.#aliases.get(namingAuthority) ?? [];
    lines.push(`${alias}\t${sqDigest.slice('SQ.'.length)}\n`);
    this.#aliases.set(namingAuthority, lines);
  }

  #put(key: string, text: string): Promise<void> {
    return this.#options.target.put(key, encodeText(text), { signal: this.#options.signal });
  }
}

/** Readers skip lines that begin with `#`, and refuse an empty first column. */
function checkName(name: string, what: string): void {
  if (/^[^#\t\n][^\t\n]*$/.test(name)) return;
  const message = `${what} is ${JSON.stringify(name)}, which the tables of a RefgetStore cannot hold`;
  throw new SequenceStoreError('INVALID_NAME', message);
}

function addLetters(letters: Set<number>, bases: Uint8Array): void {
  const seen = new Uint8Array(256);
  for (const base of bases) seen[base] = 1;
  for (const [letter, isSeen] of seen.entries()) if (isSeen === 1) letters.add(letter);
}

async function* pack(bases: AsyncIterable<Uint8Array>, alphabet: Alphabet): AsyncGenerator<Uint8Array, void> {
  const packer = new LetterPacker(alphabet);
  for await (const piece of bases) yield packer.push(piece);
  yield packer.finish();
}
