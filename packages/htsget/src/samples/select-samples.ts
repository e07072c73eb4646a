import type { BamCriteria, SampleSubset } from '@htskit/formats';
import { HtsgetError, type HtsgetQuery, type PermittedSamples } from '@htskit/protocol';
import { packSamples, type SelectedSamples, unpackSamples } from './packed-samples.js';
import type { SampleTable } from './sample-table.js';

/** The characters of a name in an error message: a request may have a name of megabytes. */
const MAX_NAME_LENGTH = 255;

/** The part of a query that selects samples. */
export interface SampleQuery extends Pick<HtsgetQuery, 'samples' | 'keepsAggregates'> {
  /** Default: all samples may be seen. */
  readonly permittedSamples?: PermittedSamples;
}

/**
 * Returns the samples of a file that a query selects; undefined if it does not select any, and may see all. Throws `HtsgetError`
 * NotFound for a sample that the file does not have. One that must not be seen is no different.
 */
export function selectSamples(
  { samples, keepsAggregates, permittedSamples }: SampleQuery,
  { names, indexes }: SampleTable,
): SelectedSamples | undefined {
  const isPermitted = permittedSamples === undefined ? () => true : permitsSample(permittedSamples);
  const hidesOthers = !names.every(isPermitted);
  if (samples === undefined && permittedSamples === undefined) return undefined;
  const selected = (samples ?? names.filter(isPermitted)).map((name) => {
    const index = indexes.get(name);
    if (index !== undefined && isPermitted(name)) return index;
    const start = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
    throw new HtsgetError('NotFound', `there is no sample ${JSON.stringify(start)}`);
  });
  return {
    packed: packSamples(selected.sort((a, b) => a - b)),
    keepsAggregates: hidesOthers ? undefined : keepsAggregates,
    hidesOthers: hidesOthers ? true : undefined,
  };
}

/** Returns a function that says whether a sample may be seen. */
export function permitsSample(permitted: PermittedSamples): (name: string) => boolean {
  if ('except' in permitted) {
    const hidden = new Set(permitted.except);
    return (name) => !hidden.has(name);
  }
  const shown = new Set(permitted);
  return (name) => shown.has(name);
}

/** Returns what the rewriters of variants do with the samples. */
export function toSubset({ packed, keepsAggregates, hidesOthers }: SelectedSamples, table: SampleTable): SampleSubset {
  const aggregates = keepsAggregates === true ? [] : table.aggregates;
  return { samples: unpackSamples(packed), aggregates, hidesOthers };
}

/** Returns the read groups of the samples: each read must have one of them. */
export function toReadGroups(
  { packed }: SelectedSamples,
  { names, readGroups }: SampleTable,
): Required<Pick<BamCriteria, 'readGroups'>> {
  const selected = new Set(unpackSamples(packed).map((index) => names[index]));
  const isSelected = (sample: string | undefined): boolean => sample !== undefined && selected.has(sample);
  return { readGroups: readGroups.filter(({ sample }) => isSelected(sample)).map(({ id }) => id) };
}
