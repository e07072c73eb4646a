import { basename } from 'node:path';
import type { StoredFormat } from '@htskit/htsget';
import type { Datatype } from '@htskit/protocol';

/** How a stored form of an htsget object is named. */
export interface ObjectKind {
  readonly datatype: Datatype;
  readonly format: StoredFormat;
  readonly extension: string;
}

/** In the order in which the formats of an object are told. */
export const OBJECT_KINDS: readonly ObjectKind[] = [
  { datatype: 'reads', format: 'BAM', extension: '.bam' },
  { datatype: 'reads', format: 'CRAM', extension: '.cram' },
  { datatype: 'variants', format: 'VCF', extension: '.vcf.gz' },
  { datatype: 'variants', format: 'VCF', extension: '.vcf.bgz' },
  { datatype: 'variants', format: 'BCF', extension: '.bcf' },
];

/** An object of the service, as it is listed. */
export interface ObjectEntry {
  readonly id: string;
  readonly datatype: Datatype;
}

/** The id whose path is another one's: that of service-info (htsget 1.3.1, "GA4GH service-info"). */
export const RESERVED_ID = 'service-info';

/** Undefined for another file, and for one whose name is an extension behind nothing or dots, which a URL does not keep. */
export function objectKindOf(path: string): ObjectKind | undefined {
  const name = basename(path);
  return OBJECT_KINDS.find(
    ({ extension }) => name.endsWith(extension) && !/^\.{0,2}$/.test(name.slice(0, -extension.length)),
  );
}

/** By id and then by datatype. */
export function compareEntries(a: ObjectEntry, b: ObjectEntry): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return a.datatype < b.datatype ? -1 : 1;
}
