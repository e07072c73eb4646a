import type { HtsgetQuery, HtsgetRegion, TicketRestriction } from '@htskit/protocol';
import type { StoredFormat } from '../file/stored-file.js';
import type { Rewriting } from '../plan/plan.js';
import { unpackSamples } from '../samples/packed-samples.js';
import { samplesOf } from '../samples/sample-table.js';
import { type Grant, restrictQuery, restrictRegions } from './permission.js';

/** The maximum number of regions or samples that a ticket lists: a request has no more regions. */
const MAX_LISTED = 1000;

interface RestrictedAnswer {
  readonly query: HtsgetQuery;
  readonly permission: Grant;
  readonly format: StoredFormat;
  readonly rewriting: Rewriting | undefined;
}

/** Returns what an answer was restricted to; undefined if it has all that was requested. */
export function describeRestriction(answer: RestrictedAnswer): TicketRestriction | undefined {
  const [regions, samples] = [restrictedRegions(answer), restrictedSamples(answer)];
  if (regions === undefined && samples === undefined) return undefined;
  return { ...(regions && { regions: listed(regions) }), ...(samples && { samples: listed(samples) }) };
}

function restrictedRegions({ query, permission }: RestrictedAnswer): readonly HtsgetRegion[] | undefined {
  if (permission === 'all' || permission.regions === 'all' || query.class === 'header') return undefined;
  const { regions = [] } = restrictQuery(query, permission);
  if (query.regions === undefined) return regions;
  const requested = restrictRegions(query.regions, query.regions);
  return JSON.stringify(regions) === JSON.stringify(requested) ? undefined : regions;
}

function restrictedSamples({ query, format, rewriting }: RestrictedAnswer): readonly string[] | undefined {
  const samples = rewriting?.selection.samples;
  if (rewriting === undefined || samples?.hidesOthers !== true || query.samples !== undefined) return undefined;
  const { names } = samplesOf(format, rewriting.header);
  return unpackSamples(samples.packed).map((index) => names[index] ?? '');
}

function listed<Value>(values: readonly Value[]): readonly Value[] | 'some' {
  return values.length > MAX_LISTED ? 'some' : values;
}
