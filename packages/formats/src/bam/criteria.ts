import { SelectedKeys } from '../records/key-selection.js';
import { mappingQuality, recordEnd, recordFlags, tagsStart } from './record-fields.js';
import { bamTagCode, bamTagEnd, findBamTag } from './tags/tags.js';

/** Conditions that records must meet, as those of `samtools view -f`, `-F` and `-q`. */
export interface BamCriteria {
  /** The bits of FLAG that must all be set. Default 0. */
  readonly requireFlags?: number;
  /** The bits of FLAG that must not be set. Default 0. */
  readonly excludeFlags?: number;
  /** The least MAPQ. Default 0. */
  readonly minMappingQuality?: number;
  /** The IDs of read groups: the tag RG of records must be one of them. Default: records need no read group. */
  readonly readGroups?: readonly string[];
}

/** Returns whether every record meets criteria. */
export function keepsAllRecords({
  requireFlags = 0,
  excludeFlags = 0,
  minMappingQuality = 0,
  readGroups,
}: BamCriteria): boolean {
  return requireFlags === 0 && excludeFlags === 0 && minMappingQuality === 0 && readGroups === undefined;
}

const READ_GROUP = bamTagCode('RG');
const TEXT_TYPE = 0x5a;
/** Bytes of a tag's name and type. */
const TAG_START_BYTES = 3;

/** Returns whether the record at `at`, a complete one whose parts fit into it, is kept. Throws `FormatError` for malformed tags. */
export type BamCondition = (view: DataView, at: number) => boolean;

/**
 * Creates the condition of a filter that keeps the records that meet criteria.
 *
 * @example
 * ```ts
 * import { createBamCondition, createBamFilter, type RecordFilter } from '@htskit/formats';
 *
 * export const primary = (): RecordFilter =>
 *   createBamFilter(undefined, { condition: createBamCondition({ excludeFlags: 0x904, minMappingQuality: 20 }) });
 * ```
 */
export function createBamCondition(criteria: BamCriteria): BamCondition {
  const { requireFlags = 0, excludeFlags = 0, minMappingQuality = 0, readGroups } = criteria;
  const groups = readGroups && new ReadGroups(readGroups);
  return (view, at) => {
    const flags = recordFlags(view, at);
    const hasFlags = (flags & requireFlags) === requireFlags && (flags & excludeFlags) === 0;
    if (!hasFlags || mappingQuality(view, at) < minMappingQuality) return false;
    return groups === undefined || groups.hasRecord(view, at);
  };
}

/** A set of read groups. */
class ReadGroups {
  readonly #ids: SelectedKeys;
  #view: DataView | undefined;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(ids: readonly string[]) {
    this.#ids = new SelectedKeys({ tags: ids });
  }

  /** Whether the record at `at` has one of the read groups. Throws `FormatError` `INVALID_DATA` for malformed tags. */
  hasRecord(view: DataView, at: number): boolean {
    const end = recordEnd(view, at);
    const tag = findBamTag(view, { start: tagsStart(view, at), end }, READ_GROUP);
    if (tag === -1 || view.getUint8(tag + 2) !== TEXT_TYPE) return false;
    if (view !== this.#view) {
      this.#view = view;
      this.#bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    }
    // A text ends with NUL.
    return this.#ids.has(this.#bytes, tag + TAG_START_BYTES, bamTagEnd(view, tag, end) - 1);
  }
}
