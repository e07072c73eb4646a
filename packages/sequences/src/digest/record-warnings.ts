import type { OmittedCharacters, SequenceCharacters } from '@htskit/digest';
import type { FastaDigests } from './record-digests.js';

export interface RecordWarningsOptions {
  /** The characters that the digests cover. Default `letters`. */
  readonly characters?: SequenceCharacters;
  /** Receives a message about each record, and one about all of them. */
  readonly warn: (message: string) => void;
  /** The maximum number of records with a message of their own. Default: all. */
  readonly limit?: number;
}

/** Describes the records of a FASTA whose digests do not cover all of their characters, and those without a name. */
export class RecordWarnings {
  readonly #warn: (message: string) => void;
  readonly #limit: number;
  readonly #others: string;
  #records = 0;
  #warned = 0;
  #omitting = 0;

  constructor({ characters = 'letters', warn, limit = Infinity }: RecordWarningsOptions) {
    this.#warn = warn;
    this.#limit = limit;
    this.#others = characters === 'sam' ? 'bytes other than printable ASCII' : 'characters other than letters';
  }

  /** Adds the next record of the file. */
  add({ name, omitted }: Pick<FastaDigests, 'name' | 'omitted'>): void {
    this.#records++;
    if (name !== '' && omitted === undefined) return;
    if (omitted !== undefined) this.#omitting++;
    if (++this.#warned > this.#limit) return;
    if (name === '') this.#warn(`record ${this.#records} has no name`);
    if (omitted === undefined) return;
    const record = name === '' ? `record ${this.#records}` : `record ${JSON.stringify(name)}`;
    this.#warn(`${record} holds ${this.#others}, which its digests omit: ${describeOmitted(omitted)}`);
  }

  /** Ends the file. */
  finish(): void {
    if (this.#omitting === 0) return;
    const records = this.#records === 1 ? '1 record' : `${this.#records} records`;
    this.#warn(`${this.#omitting} of ${records} hold ${this.#others}`);
  }
}

/** The maximum number of characters that are listed of a record. */
const LISTED_CHARACTERS = 10;

/** Describes omitted characters: how many there are of each, and the position of the first one, from 1. */
export function describeOmitted({ firstOffset, characters }: OmittedCharacters): string {
  const counts = Object.entries(characters).map(([character, count]) => `"${character}" (${count})`);
  const listed = counts.slice(0, LISTED_CHARACTERS);
  if (counts.length > listed.length) listed.push(`${counts.length - listed.length} more`);
  return `${listed.join(', ')}, first at position ${firstOffset + 1}`;
}
