import { parseCount, parseMetaLine, type VcfMetaLine } from './meta-line.js';

/** A contig as a line `##contig=<…>` of a VCF or BCF header declares it (VCFv4.3 §1.4.7). */
export interface VcfContig {
  readonly name: string;
  /** Bases; undefined where the line has no length, or none that is a number. */
  readonly length: number | undefined;
  /** Its number in BCF records, where the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
}

/** The contig that a header line declares; undefined for another line, and for one without an ID. */
export function parseContigLine(line: string): VcfContig | undefined {
  const meta = parseMetaLine(line);
  return meta?.key === 'contig' ? toContig(meta) : undefined;
}

/** The contig that a line `##contig=<…>` declares. */
export function toContig({ id, index, values }: VcfMetaLine): VcfContig {
  return { name: id, length: parseCount(values.get('length')), index };
}
