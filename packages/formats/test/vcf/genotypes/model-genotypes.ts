import {
  type GenotypeMatrix,
  type VariantColumnField,
  type VariantColumns,
  VariantHeader,
} from '../../../src/index.js';
import { BcfSite, GrowingVariants, VcfSite } from '../../../src/internal.js';

/** The genotype of a call as a text: its alleles, and `!` if all are phased. */
function modelCall(gt: string | undefined): string {
  if (gt === undefined) return 'none';
  const prefix = /^[|/]/.exec(gt)?.[0];
  const alleles = gt
    .slice(prefix?.length ?? 0)
    .split(/[|/]/)
    .map((allele) => (/^\d+$/.test(allele) ? Number(allele) : '.'));
  const separators = gt.slice(prefix?.length ?? 0).match(/[|/]/g) ?? [];
  const isFirstPhased = prefix === undefined ? alleles.length > 1 || alleles[0] !== '.' : prefix === '|';
  return alleles.join(',') + (isFirstPhased && separators.every((separator) => separator === '|') ? '!' : '');
}

/** The calls of the samples of a line, by splitting it into texts. */
export function modelCalls(line: string, columns: readonly number[]): string[] {
  const fields = line.replace(/\r?\n$/, '').split('\t');
  const index = (fields[8] ?? '.').split(':').indexOf('GT');
  return columns.map((column) => modelCall(index === -1 ? undefined : (fields[9 + column]?.split(':')[index] ?? '.')));
}

/** The calls of a matrix, by records, as the model has them. */
export function callsOf({ alleles, phased, ploidy, sampleCount }: GenotypeMatrix, length: number): string[][] {
  return Array.from({ length }, (_, record) =>
    Array.from({ length: sampleCount }, (__, sample) => {
      const call = record * sampleCount + sample;
      const values = [...alleles.subarray(call * ploidy, (call + 1) * ploidy)];
      const known = values.filter((value) => value !== -2);
      if (values.slice(known.length).some((value) => value !== -2)) throw new Error('fill is not at the end');
      const isPhased = ((phased[call >> 3] ?? 0) >> (call & 7)) & 1;
      const texts = known.map((value) => (value === -1 ? '.' : value));
      return (texts.length === 0 ? 'none' : texts.join(',')) + (isPhased === 1 ? '!' : '');
    }),
  );
}

/** Reads the columns of uncompressed records. */
export function readColumns<Field extends VariantColumnField, Info extends string = never>(
  records: Uint8Array,
  {
    text,
    format,
    ...selection
  }: {
    readonly text: string;
    readonly format: 'VCF' | 'BCF';
    readonly fields: readonly Field[];
    readonly info?: readonly Info[];
    readonly sampleColumns?: readonly number[];
    readonly maxRecords?: number;
  },
): VariantColumns<Field, Info>[] {
  const Site = format === 'VCF' ? VcfSite : BcfSite;
  const columns = new GrowingVariants(new VariantHeader({ text }), (...parts) => new Site(...parts), selection);
  const batches: VariantColumns<Field, Info>[] = [];
  for (let at = 0; at < records.length; ) {
    const next = columns.add(records, at);
    if (next === at || columns.isFull) batches.push(columns.take());
    at = next;
  }
  if (columns.length > 0) batches.push(columns.take());
  return batches;
}
