import type { Datatype } from '@htskit/protocol';
import { type ObjectFileName, parseObjectFileName } from './object-file-name.js';

/** The thing that a DRS id belongs to, which decides who may see it. */
export type FileOwner =
  | ({ readonly kind: 'object-file' } & ObjectFileName)
  /** An htsget object: the bundle of its files. */
  | { readonly kind: 'object'; readonly datatype: Datatype; readonly id: string }
  /** A sequence collection: its FASTA file, the index of that file, or the bundle of both. */
  | { readonly kind: 'collection'; readonly digest: string; readonly part: 'fasta' | 'fai' | 'bundle' }
  /** A stored file of sequences, its index, or the bundle of both. */
  | { readonly kind: 'sequence-file'; readonly name: string; readonly companion: 'fai' | 'gzi' | 'bundle' | undefined };

const OBJECT_ID = /^(reads|variants)\/(.+)$/s;
const COLLECTION_ID = /^(collection\/)?([\w-]{32})(\.fa\.fai)?$/;
const SEQUENCE_FILE = /\.(?:fa|fasta|fna)(?:\.gz)?$|\.2bit$/;

/** Parses a DRS id. Returns undefined for one that no file can have. Nothing is looked up. */
export function parseFileId(id: string): FileOwner | undefined {
  const file = parseObjectFileName(id);
  if (file !== undefined) return { kind: 'object-file', ...file };
  const companion = /\.(fai|gzi|bundle)$/.exec(id)?.[1] as 'fai' | 'gzi' | 'bundle' | undefined;
  const [, bundle, digest = '', index] = COLLECTION_ID.exec(id) ?? [];
  if (digest !== '' && (bundle === undefined || index === undefined)) {
    return {
      kind: 'collection',
      digest,
      part: bundle !== undefined ? 'bundle' : index === undefined ? 'fasta' : 'fai',
    };
  }
  const name = companion === undefined ? id : id.slice(0, -companion.length - 1);
  if (SEQUENCE_FILE.test(name)) return { kind: 'sequence-file', name, companion };
  const [, datatype, objectId] = OBJECT_ID.exec(id) ?? [];
  if (objectId === undefined || (datatype !== 'reads' && datatype !== 'variants')) return undefined;
  return { kind: 'object', datatype, id: objectId };
}
