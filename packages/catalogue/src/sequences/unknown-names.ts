import { TimeSlice } from '@htskit/io/internal';
import type { NamingOptions } from '@htskit/sequences';
import { namesOf, type SequenceTable } from '@htskit/sequences/internal';

/**
 * Returns the first name of each sequence that the options name but that is in none of the tables. Yields to the event loop
 * meanwhile, because a table of aliases may have millions of rows.
 */
export async function findUnknownNames(
  { aliases = [], circular = new Set() }: NamingOptions,
  tables: readonly SequenceTable[],
  signal: AbortSignal,
): Promise<string[]> {
  const slice = new TimeSlice(signal);
  const unknown = new Set<string>();
  const isKnown = (names: readonly string[]): boolean => tables.some((table) => names.some((name) => table.has(name)));
  for (const name of circular) if (!isKnown([name])) unknown.add(name);
  let previous: readonly string[] | undefined;
  for (const [index, row] of aliases.entries()) {
    const names = namesOf(row);
    // The rows of a sequence share its names.
    const [first] = names;
    if (first !== undefined && names !== previous && !isKnown(names)) unknown.add(first);
    previous = names;
    if (slice.isOverAt(index)) await slice.yieldToEventLoop();
  }
  return [...unknown];
}

/** Names of a message; a whole assembly may be unknown. */
const LISTED_NAMES = 10;

/** Describes names that no sequence has, for a log. */
export function describeUnknownNames(names: readonly string[]): string {
  const more = names.length - LISTED_NAMES;
  const listed = names.slice(0, LISTED_NAMES).join(', ');
  return `no sequence has the name ${listed}${more > 0 ? `, and ${more} more` : ''}; see the aliases and circular names`;
}
