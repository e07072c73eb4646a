import type { DrsBundle, DrsFile } from '@htskit/drs';
import type { ByteSource } from '@htskit/io';
import type { CollectionCatalogue } from '@htskit/refget';
import { CollectionBytes, collectionSource, FASTA_LINES } from '@htskit/refget/internal';
import type { SequenceCatalogue, SequenceCollection } from '@htskit/sequences';
import { toBundle } from './file-bundle.js';
import type { FileOwner } from './file-owner.js';

/** A stored file of sequences. */
export interface StoredSequences {
  readonly data: ByteSource;
  /** The digest of its collection. Undefined if its sequences form no collection: it is not served then. */
  readonly digest: string | undefined;
  /** Returns the index of the file that is stored beside it. */
  companion(extension: 'fai' | 'gzi'): Promise<ByteSource | undefined>;
}

/** The sequences of a service, such as `WatchedSequences`. */
export interface ServedSequences extends Pick<SequenceCatalogue, 'find'> {
  readonly collections: Pick<CollectionCatalogue, 'find'>;
  /** Returns the stored file with a name. Default: only the FASTA files of collections are served, which are computed. */
  findFile?(name: string): Promise<StoredSequences | undefined>;
}

const TEXT = 'text/plain; charset=utf-8';
const FASTA = 'text/x-fasta; charset=utf-8';

/** Describes the FASTA files of collections, which refget answers, and the files that sequences are stored in. */
export class SequenceFiles {
  readonly #sequences: ServedSequences;
  readonly #publicUrl: string;

  constructor(sequences: ServedSequences, publicUrl: string) {
    this.#sequences = sequences;
    this.#publicUrl = publicUrl;
  }

  /** Returns undefined if there is no such file. */
  find(owner: Extract<FileOwner, { kind: 'collection' | 'sequence-file' }>): Promise<DrsFile | DrsBundle | undefined> {
    return owner.kind === 'collection' ? this.#collectionFile(owner) : this.#storedFile(owner);
  }

  /** Returns the digest of the collection of a stored file; undefined if there is no such file. */
  async digestOf(name: string): Promise<string | undefined> {
    return (await this.#sequences.findFile?.(name))?.digest;
  }

  /** Yields the digests of the sequences of a collection, or none if there is no such collection. */
  async *sequencesOf(digest: string): AsyncGenerator<string, void> {
    const collection = await this.#sequences.collections.find(digest);
    if (collection === undefined) return;
    const bytes = await CollectionBytes.open('fasta', collection);
    yield* bytes.sequencesIn({ start: 0, end: bytes.length });
  }

  async #collectionFile({
    digest,
    part,
  }: Extract<FileOwner, { kind: 'collection' }>): Promise<DrsFile | DrsBundle | undefined> {
    const collection = await this.#sequences.collections.find(digest);
    if (collection === undefined) return undefined;
    const name = `${digest}.fa`;
    if (part === 'bundle') {
      const contents = [
        { id: digest, name },
        { id: `${name}.fai`, name: `${name}.fai` },
      ];
      return { kind: 'bundle', id: `collection/${digest}`, contents };
    }
    const url = `${this.#publicUrl}/collection/${digest}/fasta`;
    const data = collectionSource(part, collection, this.#sequences);
    if (part === 'fai') return { kind: 'file', id: `${name}.fai`, data, mediaType: TEXT, url: `${url}.fai` };
    const fastaIndex = async () => ({
      line_bases: FASTA_LINES.bases,
      extra_line_bytes: FASTA_LINES.endBytes,
      offsets: await baseOffsets(collection),
    });
    return { kind: 'file', id: digest, name, data, mediaType: FASTA, url, fastaIndex };
  }

  async #storedFile({
    name,
    companion,
  }: Extract<FileOwner, { kind: 'sequence-file' }>): Promise<DrsFile | DrsBundle | undefined> {
    const file = await this.#sequences.findFile?.(name);
    if (file?.digest === undefined) return undefined;
    if (companion === undefined) {
      return {
        kind: 'file',
        id: name,
        data: file.data,
        mediaType: mediaTypeOf(name),
        aliases: [`refget:${file.digest}`],
      };
    }
    if (companion === 'bundle') return bundleOf(name, file);
    const data = await file.companion(companion);
    const mediaType = companion === 'fai' ? TEXT : undefined;
    return data && { kind: 'file', id: `${name}.${companion}`, data, mediaType };
  }
}

/** Returns the bundle of a file and the indexes beside it. */
async function bundleOf(name: string, file: StoredSequences): Promise<DrsBundle> {
  const extensions = ['fai', 'gzi'] as const;
  const found = await Promise.all(extensions.map((extension) => file.companion(extension)));
  const indexes = extensions.filter((_, index) => found[index] !== undefined);
  return toBundle(`${name}.bundle`, [name, ...indexes.map((extension) => `${name}.${extension}`)]);
}

async function baseOffsets(collection: SequenceCollection): Promise<readonly number[]> {
  return (await CollectionBytes.open('fasta', collection)).baseOffsets();
}

function mediaTypeOf(name: string): string | undefined {
  if (name.endsWith('.gz')) return 'application/gzip';
  return name.endsWith('.2bit') ? undefined : FASTA;
}
