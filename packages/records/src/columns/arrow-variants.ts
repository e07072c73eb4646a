import type { GenotypeMatrix, InfoColumn, TextListColumn, VariantColumnTypes } from '@htskit/formats';
import { Bool, type Data, type FixedSizeList, type List, makeData } from 'apache-arrow';
import { type ArrowColumn, column, toFixedLists, toList, toListOf, toNumbers, toStruct, toText } from './arrow-data.js';

/** Columns of variants, among others. */
interface VariantInput extends Partial<VariantColumnTypes> {
  readonly length: number;
  readonly info?: Readonly<Record<string, InfoColumn>>;
}

/** Returns what a field of variants becomes; undefined for a field that is a column of numbers, or one of alignments. */
export function toVariantColumns(batch: VariantInput, name: string): readonly ArrowColumn[] | undefined {
  const { length, alleles, dosage, filters, genotypes, ids, info, quality } = batch;
  if (name === 'ids' && ids) return [column(name, toText(ids, length), true)];
  if (name === 'filters' && filters) return [column(name, toText(filters, length), true)];
  if (name === 'alleles' && alleles) return [column(name, toTextLists(alleles, length))];
  if (name === 'quality' && quality) return [column(name, toNumbers(quality.values, quality.validity), true)];
  if (name === 'genotypes' && genotypes) return toGenotypes(genotypes, length);
  if (name === 'dosage' && dosage) return [column(name, toSamples(toNumbers(dosage), length))];
  if (name !== 'info' || info === undefined) return undefined;
  const keys = Object.entries(info).map(([key, values]) => toInfo(key, values, length));
  return [column(name, toStruct(keys, length))];
}

function toTextLists({ offsets, values }: TextListColumn, length: number): Data<List> {
  return toListOf(toText(values, values.offsets.length - 1), offsets, length);
}

/** Returns lists of a value for each sample. */
function toSamples(values: Data, length: number): Data<FixedSizeList> {
  return toFixedLists(values, length === 0 ? 1 : values.length / length, length);
}

function toGenotypes({ sampleCount, ploidy, alleles, phased }: GenotypeMatrix, length: number): ArrowColumn[] {
  const callCount = length * sampleCount;
  const calls = toFixedLists(toNumbers(alleles), ploidy, callCount);
  // A column of booleans is a bitmap in Arrow, too.
  const phases = makeData({ type: new Bool(), length: callCount, nullCount: 0, data: phased });
  return [
    column('genotypes', toFixedLists(calls, sampleCount, length)),
    column('phased', toFixedLists(phases, sampleCount, length)),
  ];
}

function toInfo(key: string, values: InfoColumn, length: number): ArrowColumn {
  if (values.type === 'flag') return column(key, toFlags(values.values));
  if (values.type === 'number') return column(key, toNumbers(values.values, values.validity), true);
  return column(key, values.type === 'text' ? toText(values, length) : toList(values, length), true);
}

/** Returns bytes of 0 and 1 as booleans. */
function toFlags(flags: Uint8Array): Data<Bool> {
  const bitmap = new Uint8Array(Math.ceil(flags.length / 8));
  for (const [i, flag] of flags.entries()) bitmap[i >> 3] = (bitmap[i >> 3] ?? 0) | (flag << (i % 8));
  return makeData({ type: new Bool(), length: flags.length, nullCount: 0, data: bitmap });
}
