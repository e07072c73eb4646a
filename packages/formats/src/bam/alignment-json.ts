import type { AlignmentTag } from './tags/tag-values.js';

/** The properties of a record that are shown as they are. */
interface ShownProperties {
  readonly name: string;
  readonly flags: number;
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
  readonly mappingQuality: number;
  readonly cigarText: string;
  readonly mateReferenceId: number;
  readonly mateStart: number;
  readonly templateLength: number;
  readonly sequence: string;
}

/** The fields of an alignment as JSON holds them, named as the properties of the record. */
export interface AlignmentJson extends ShownProperties {
  /** Phred scores; null if they are not stored. */
  readonly qualities: readonly number[] | null;
  /** The values of the tags by their names. Arrays of numbers are plain arrays. */
  readonly tags: Readonly<Record<string, number | string | readonly number[]>>;
}

interface Alignment extends ShownProperties {
  readonly qualities: Uint8Array | undefined;
  tags(): Iterable<AlignmentTag>;
}

/** Returns the fields of a record for JSON. Throws `FormatError` `INVALID_DATA` for malformed tags. */
export function toAlignmentJson(record: Alignment): AlignmentJson {
  const { name, flags, referenceId, start, end, mappingQuality, cigarText } = record;
  const { mateReferenceId, mateStart, templateLength, sequence, qualities } = record;
  return {
    name,
    flags,
    referenceId,
    start,
    end,
    mappingQuality,
    cigarText,
    mateReferenceId,
    mateStart,
    templateLength,
    sequence,
    qualities: qualities === undefined ? null : Array.from(qualities),
    tags: Object.fromEntries(
      Array.from(record.tags(), ({ name: tag, value }) => [tag, typeof value === 'object' ? Array.from(value) : value]),
    ),
  };
}
