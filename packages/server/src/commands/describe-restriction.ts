import type { TicketRestriction } from '@htskit/protocol';
import { formatRegion } from '../stored-file/parse-region.js';
import { formatCount } from '../terminal/format-count.js';

/** The maximum number of regions or samples that are named. */
const NAMED = 3;
/** Longer names are cut: a service may send any. */
const MAX_NAME_LENGTH = 100;

/** Describes what the answer of a service was restricted to: "the regions chr1:1-100 and the samples A, B, C and 5 more". */
export function describeRestriction({ regions, samples }: TicketRestriction): string {
  const lists = [
    ...(regions === undefined
      ? []
      : [describeList('regions', regions === 'some' ? regions : regions.map(formatRegion))]),
    ...(samples === undefined ? [] : [describeList('samples', samples)]),
  ];
  return lists.length === 0 ? 'a part of what was requested' : lists.join(' and ');
}

function describeList(what: string, items: readonly string[] | 'some'): string {
  if (items === 'some') return `some ${what}`;
  if (items.length === 0) return `no ${what}`;
  return `the ${what} ${nameFirst(items, ', ')}`;
}

/** Joins the first items, and says how many more there are. */
export function nameFirst(items: readonly string[], separator: string): string {
  const more = items.length - NAMED;
  const named = items.slice(0, NAMED).map(cut).join(separator);
  return more > 0 ? `${named} and ${formatCount(more)} more` : named;
}

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
