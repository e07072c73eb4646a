import { HtsgetError, type HtsgetQuery, parseHtsgetGet } from '@htskit/protocol';
import { UsageError } from '../usage-error.js';

/** The records, samples and parts of records that a command keeps. */
export type RecordSelection = Omit<HtsgetQuery, 'datatype' | 'format' | 'class' | 'regions' | 'invalidRange'>;

/** A selection as written on a command line or in a URL: by the parameters of the protocol. */
export interface WrittenSelection {
  readonly fields?: string;
  readonly tags?: string;
  readonly notags?: string;
  readonly samples?: string;
  readonly samplesUpdate?: string;
  readonly requireFlags?: string;
  readonly excludeFlags?: string;
  readonly minMappingQuality?: string;
}

/** Parses a selection by the rules of the protocol. Throws UsageError for an invalid one. */
export function parseSelection(written: WrittenSelection): RecordSelection {
  const parameters = new URLSearchParams();
  for (const [name, names] of Object.entries<string | undefined>({ ...written })) {
    if (names !== undefined) parameters.set(name, names);
  }
  try {
    const { datatype: _datatype, format: _format, ...selection } = parseHtsgetGet('reads', parameters);
    return Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
  } catch (error) {
    throw error instanceof HtsgetError ? new UsageError(error.message, { cause: error }) : error;
  }
}
