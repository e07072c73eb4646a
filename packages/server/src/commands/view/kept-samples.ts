import {
  createBcfRewriter,
  createVcfRewriter,
  parseSampleHeader,
  type SampleSubset,
  selectHeaderSamples,
  VariantHeader,
} from '@htskit/formats';
import { hasAlleleLengths } from '@htskit/formats/internal';
import { toOwned } from '@htskit/io';
import type { VariantFile } from '@htskit/records';
import { readNames } from '../../files/read-names.js';
import { UsageError } from '../../usage-error.js';

/** The options that choose samples, as those of bcftools view. */
export interface SampleFlags {
  /** `-s`: names separated by commas. After `^`, those that are left out. */
  readonly samples?: string;
  /** `-S`: a file with one name in each line, or its name after `^`. */
  readonly samplesFile?: string;
  /** False for `-I`: AC and AN keep their values. */
  readonly update: boolean;
}

/** A part of the samples of a variant file. */
export interface KeptSamples {
  /** The header with these samples. */
  readonly header: VariantHeader;
  readonly headerText: string;
  /** Yields records with these samples only. */
  readonly select: (records: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array, void>;
}

/** Returns the samples that options choose; undefined for all. Throws UsageError for a name that the file does not have. */
export async function keepSamples(file: VariantFile, flags: SampleFlags): Promise<KeptSamples | undefined> {
  const names = await chooseNames(flags);
  if (names === undefined) return undefined;
  const { samples, aggregates } = parseSampleHeader(file.headerText);
  const indexes = names.list.map((name) => {
    const index = samples.indexOf(name);
    if (index === -1) throw new UsageError(`there is no sample ${JSON.stringify(name)}`);
    return index;
  });
  const kept = names.isExcluded
    ? [...samples.keys()].filter((index) => !indexes.includes(index))
    : [...new Set(indexes)];
  const headerText = selectHeaderSamples(file.headerText, { samples: kept });
  const extraContigs = file.references.map(({ name }) => name);
  return {
    header: new VariantHeader({ text: headerText, extraContigs }),
    headerText,
    select: (records) => rewrite(records, file, { samples: kept, aggregates: flags.update ? aggregates : [] }),
  };
}

/** The names of an option, and whether they are those that are left out. */
interface ChosenNames {
  readonly list: readonly string[];
  readonly isExcluded: boolean;
}

async function chooseNames({ samples, samplesFile }: SampleFlags): Promise<ChosenNames | undefined> {
  const text = samples ?? samplesFile;
  if (text === undefined) return undefined;
  const isExcluded = text.startsWith('^');
  const value = isExcluded ? text.slice(1) : text;
  if (samples !== undefined) return { list: value === '' ? [] : value.split(','), isExcluded };
  return { list: await readNames(value), isExcluded };
}

async function* rewrite(
  records: AsyncIterable<Uint8Array>,
  file: VariantFile,
  subset: SampleSubset,
): AsyncGenerator<Uint8Array, void> {
  const rewriter =
    file.format === 'BCF'
      ? createBcfRewriter({ subset }, stringsOf(file), options(file))
      : createVcfRewriter({ subset });
  for await (const piece of records) yield* rewriter.push(piece).map(toOwned);
  yield* rewriter.finish().map(toOwned);
}

function stringsOf({ header }: VariantFile): ReadonlyMap<number, string> {
  return new Map(
    header.strings.entries.flatMap((entry, number) => (entry === undefined ? [] : [[number, entry.name]])),
  );
}

function options({ headerText }: VariantFile): { readonly alleleLengths: boolean } {
  return { alleleLengths: hasAlleleLengths(headerText) };
}
