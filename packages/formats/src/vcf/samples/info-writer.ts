import { writeDecimalAt } from '../../bytes/byte-writer.js';
import { MAX_FLOAT_LENGTH, writeFloatAt } from '../../bytes/float-text.js';
import { invalidData } from '../../format-error.js';
import type { ColumnRange, ColumnTarget } from '../format-columns.js';
import { LAST_LINE_CONTROL } from '../record.js';
import { ADDED_AGGREGATES, AGGREGATE_KEYS, type AggregateKey, type AlleleCounts } from './allele-counts.js';
import type { SelectedVariantKeys } from './sample-subset.js';

const [DOT, SEMICOLON, EQUALS, COMMA] = [0x2e, 0x3b, 0x3d, 0x2c];
/** The characters of an entry besides its values, and those of a value with its comma. */
const ENTRY_LENGTH = 4;
const VALUE_LENGTH = MAX_FLOAT_LENGTH + 1;

/** The entries that `writeInfo` keeps and writes. */
interface InfoSelection extends Pick<SelectedVariantKeys, 'info' | 'counted'> {
  /** Undefined if the record was not counted. */
  readonly counts: AlleleCounts | undefined;
}

/** Returns the maximum number of bytes by which the counted keys lengthen INFO. */
export function countedInfoLength(counts: AlleleCounts | undefined): number {
  return AGGREGATE_KEYS.length * (ENTRY_LENGTH + VALUE_LENGTH * (counts?.alleleCount ?? 0) + VALUE_LENGTH);
}

/**
 * Writes the column INFO with its kept entries and the counted ones: in the place of the stored ones, or at the end. Writes `.` if it
 * has none. Returns the end of what it wrote. Throws `FormatError` `INVALID_DATA` for control characters.
 */
export function writeInfo(column: ColumnRange, { info, counted, counts }: InfoSelection, target: ColumnTarget): number {
  const { bytes, start, end } = column;
  const writer = new InfoWriter(target);
  const written = new Set<AggregateKey>();
  for (let at = start; at < end; at++) {
    const entryStart = at;
    let byte = bytes[at] ?? 0;
    while (at < end && byte > LAST_LINE_CONTROL && byte !== EQUALS && byte !== SEMICOLON) byte = bytes[++at] ?? 0;
    const keyEnd = at;
    while (at < end && byte > LAST_LINE_CONTROL && byte !== SEMICOLON) byte = bytes[++at] ?? 0;
    if (at < end && byte !== SEMICOLON) throw invalidData('control character in INFO', at);
    const isMissing = keyEnd - entryStart === 1 && bytes[entryStart] === DOT;
    if (keyEnd === entryStart || isMissing) continue;
    const key = counts && counted.find((name) => isKey(name, bytes, entryStart, keyEnd));
    if (key !== undefined && counts !== undefined) {
      if (!written.has(key)) writer.count(key, counts);
      written.add(key);
    } else if (info.has(bytes, entryStart, keyEnd)) writer.copy(bytes, entryStart, at);
  }
  for (const key of ADDED_AGGREGATES) {
    if (counts !== undefined && counted.includes(key) && !written.has(key)) writer.count(key, counts);
  }
  return writer.end();
}

function isKey(key: AggregateKey, bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 2 && bytes[start] === key.charCodeAt(0) && bytes[start + 1] === key.charCodeAt(1);
}

/** Writes entries of INFO, with semicolons between them. */
class InfoWriter {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  #at: number;

  constructor({ bytes, position }: ColumnTarget) {
    this.#bytes = bytes;
    this.#start = position;
    this.#at = position;
  }

  copy(source: Uint8Array, start: number, end: number): void {
    this.#separate();
    const bytes = this.#bytes;
    for (let from = start; from < end; from++) bytes[this.#at++] = source[from] ?? 0;
  }

  /** Writes a counted key; nothing if it has a value for each ALT and the record has none. */
  count(key: AggregateKey, counts: AlleleCounts): void {
    const valueCount = counts.valueCount(key);
    if (valueCount === 0) return;
    this.#separate();
    const bytes = this.#bytes;
    bytes[this.#at++] = key.charCodeAt(0);
    bytes[this.#at++] = key.charCodeAt(1);
    for (let value = 1; value <= valueCount; value++) {
      bytes[this.#at++] = value === 1 ? EQUALS : COMMA;
      this.#writeValue(key, value, counts);
    }
  }

  /** Returns the end of the column. */
  end(): number {
    if (this.#at === this.#start) this.#bytes[this.#at++] = DOT;
    return this.#at;
  }

  #separate(): void {
    if (this.#at > this.#start) this.#bytes[this.#at++] = SEMICOLON;
  }

  #writeValue(key: AggregateKey, allele: number, counts: AlleleCounts): void {
    const [bytes, at] = [this.#bytes, this.#at];
    if (key === 'AC') this.#at = writeDecimalAt(bytes, at, counts.count(allele));
    else if (key === 'AN') this.#at = writeDecimalAt(bytes, at, counts.total);
    else if (key === 'NS') this.#at = writeDecimalAt(bytes, at, counts.calledSamples);
    else {
      const frequency = counts.frequency(allele);
      if (frequency === undefined) bytes[this.#at++] = DOT;
      else this.#at = writeFloatAt(bytes, at, frequency);
    }
  }
}
