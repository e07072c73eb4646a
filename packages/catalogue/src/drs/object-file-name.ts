import type { StoredFormat } from '@htskit/htsget';
import { indexPaths } from '@htskit/indexes';
import type { Datatype } from '@htskit/protocol';
import { OBJECT_KINDS, type ObjectKind, objectKindOf, RESERVED_ID } from '../objects/object-catalogue.js';

/** The file of an htsget object that a name stands for. The names of encrypted files are those of their plaintext. */
export interface ObjectFileName {
  readonly datatype: Datatype;
  /** The id of the object. */
  readonly id: string;
  readonly format: StoredFormat;
  /** The type of an index, such as `BAI`. Undefined for the data. */
  readonly index: string | undefined;
}

/** The format whose index has a type, for names in which the index replaces the extension of the data: `a.bai`. */
const SHORT_NAMES: Readonly<Record<string, StoredFormat>> = { bai: 'BAM', csi: 'BAM', crai: 'CRAM' };

/**
 * Parses the name of a file of an object: `a.bam`, and its index as `a.bam.bai` or `a.bai`. Returns undefined for other names. Whether
 * there is such a file is not looked up.
 */
export function parseObjectFileName(name: string): ObjectFileName | undefined {
  const data = plainKindOf(name);
  if (data !== undefined) return toName(name, data, undefined);
  const [, base = '', type = ''] = /^(.*)\.(bai|csi|crai|tbi)$/s.exec(name) ?? [];
  for (const path of [base, base + shortExtension(base, type)]) {
    const kind = plainKindOf(path);
    if (kind !== undefined && indexPaths(path, kind.format).includes(name))
      return toName(path, kind, type.toUpperCase());
  }
  return undefined;
}

/** Returns the name of the data of an object: with the extension of the stored file, or the usual one of the format. */
export function dataFileName(id: string, format: StoredFormat, storedName: string): string {
  const stored = plainKindOf(storedName);
  const kinds = OBJECT_KINDS.filter((kind) => kind.format === format && !kind.isEncrypted);
  return id + (stored?.format === format ? stored.extension : (kinds[0]?.extension ?? ''));
}

function plainKindOf(name: string): ObjectKind | undefined {
  const kind = objectKindOf(name);
  return kind?.isEncrypted === true ? undefined : kind;
}

function shortExtension(base: string, type: string): string {
  if (base.endsWith('.vcf')) return '.gz';
  const format = SHORT_NAMES[type];
  return OBJECT_KINDS.find((kind) => kind.format === format && !kind.isEncrypted)?.extension ?? '';
}

function toName(path: string, { datatype, format, extension }: ObjectKind, index: string | undefined) {
  const id = path.slice(0, -extension.length);
  return id === RESERVED_ID ? undefined : { datatype, id, format, index };
}
