import type { RecordSelection } from '@htskit/htsget/internal';
import { HtsgetError, parseHtsgetGet } from '@htskit/protocol';
import { UsageError } from '../usage-error.js';

/** The parts of records to keep, as written on a command line: names separated by commas. */
export interface WrittenSelection {
  readonly fields?: string;
  readonly tags?: string;
  readonly notags?: string;
}

/** Parses a selection by the rules of the protocol. Throws UsageError for an invalid one. */
export function parseSelection(written: WrittenSelection): RecordSelection {
  const parameters = new URLSearchParams();
  for (const [name, names] of Object.entries<string | undefined>({ ...written })) {
    if (names !== undefined) parameters.set(name, names);
  }
  try {
    const { fields, tags, notags } = parseHtsgetGet('reads', parameters);
    return {
      fields,
      tags,
      notags,
    };
  } catch (error) {
    throw error instanceof HtsgetError ? new UsageError(error.message, { cause: error }) : error;
  }
}
