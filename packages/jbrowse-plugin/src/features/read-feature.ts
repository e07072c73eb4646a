import type { AlignmentRecord, AlignmentTagValue, Mismatch, ReferenceBases } from '@htskit/formats';
import type { Feature } from '../jbrowse/adapter.js';
import {
  listDifferences,
  type ReadMismatch,
  toReadMismatch,
  type VisitReadMismatch,
  visitDifference,
} from './read-mismatches.js';

/** The parts of a feature. */
export interface ReadFeatureParts {
  readonly id: string;
  readonly record: AlignmentRecord;
  /** Names of references by their numbers. */
  readonly referenceNames: readonly string[];
  /** Bases that a record without the tag MD is compared with. */
  readonly reference?: ReferenceBases | undefined;
}

/** A read as a feature of JBrowse. Fields are decoded when they are read. */
export class ReadFeature implements Feature {
  readonly #parts: ReadFeatureParts;
  #differences: readonly Mismatch[] | undefined;

  constructor(parts: ReadFeatureParts) {
    this.#parts = parts;
  }

  id(): string {
    return this.#parts.id;
  }

  parent(): undefined {
    return undefined;
  }

  children(): undefined {
    return undefined;
  }

  get(field: string): unknown {
    if (field === 'mismatches') return this.mismatches;
    return FIELDS.get(field)?.(this.#parts);
  }

  /** The differences to the reference, as JBrowse 3 reads them. */
  get mismatches(): readonly ReadMismatch[] {
    return this.#list().map((mismatch) => toReadMismatch(mismatch, this.#parts.record));
  }

  /** Calls `visit` for the differences to the reference, as JBrowse 4 reads them. */
  forEachMismatch(visit: VisitReadMismatch): void {
    for (const mismatch of this.#list()) visitDifference(mismatch, this.#parts.record, visit);
  }

  toJSON(): object {
    return Object.fromEntries(SENT_FIELDS.map((field) => [field, this.get(field)]));
  }

  #list(): readonly Mismatch[] {
    const { record, reference } = this.#parts;
    this.#differences ??= listDifferences(record, record.tag('MD') === undefined ? reference : undefined);
    return this.#differences;
  }
}

/** MAPQ that is not available (SAMv1 §1.4). */
const NO_MAPPING_QUALITY = 255;

/** The fields that JBrowse reads, by their names. */
const FIELDS: ReadonlyMap<string, (parts: ReadFeatureParts) => unknown> = new Map(
  Object.entries({
    uniqueId: ({ id }) => id,
    type: () => 'match',
    name: ({ record }) => record.name,
    refName: ({ record, referenceNames }) => referenceNames[record.referenceId],
    start: ({ record }) => record.start,
    end: ({ record }) => record.end,
    strand: ({ record }) => (record.isReverse ? -1 : 1),
    score: ({ record: { mappingQuality } }) => (mappingQuality === NO_MAPPING_QUALITY ? undefined : mappingQuality),
    flags: ({ record }) => record.flags,
    template_length: ({ record }) => record.templateLength,
    CIGAR: ({ record }) => (record.cigarText === '*' ? '' : record.cigarText),
    NUMERIC_CIGAR: ({ record }) => toNumbers(record),
    seq: ({ record }) => record.sequence,
    seq_length: ({ record }) => record.sequenceLength,
    qual: ({ record }) => record.qualities?.join(' '),
    NUMERIC_QUAL: ({ record }) => record.qualities,
    tags: ({ record }) => toTags(record),
    pair_orientation: ({ record }) => pairOrientation(record),
    next_ref: ({ record, referenceNames }) => (record.isPaired ? referenceNames[record.mateReferenceId] : undefined),
    next_pos: ({ record }) => (record.isPaired ? record.mateStart : undefined),
    next_segment_position: ({ record, referenceNames }) =>
      record.isPaired ? `${referenceNames[record.mateReferenceId]}:${record.mateStart + 1}` : undefined,
    clipLengthAtStartOfRead: ({ record }) => clipAtStart(record),
  } satisfies Record<string, (parts: ReadFeatureParts) => unknown>),
);

/** The fields that leave a worker, and that JBrowse shows of a read. */
const SENT_FIELDS: readonly string[] = [...FIELDS.keys()].filter(
  (field) => !field.startsWith('NUMERIC') && field !== 'seq_length' && field !== 'clipLengthAtStartOfRead',
);

/** The types of operations by their codes in BAM (SAMv1 §4.2). */
const OPERATIONS = 'MIDNSHP=X';

/** Returns the operations of CIGAR as BAM stores them. */
function toNumbers(record: AlignmentRecord): Uint32Array {
  return Uint32Array.from(record.cigar, ({ operation, length }) => (length << 4) | OPERATIONS.indexOf(operation));
}

function toTags(record: AlignmentRecord): Readonly<Record<string, number | string | readonly number[]>> {
  const toPlain = (value: AlignmentTagValue): number | string | readonly number[] =>
    typeof value === 'object' ? Array.from(value) : value;
  return Object.fromEntries(Array.from(record.tags(), ({ name, value }) => [name, toPlain(value)]));
}

/** Returns the directions of both reads of a pair on one reference, from left to right, such as F1R2. */
function pairOrientation(record: AlignmentRecord): string | undefined {
  const { isPaired, isUnmapped, isMateUnmapped, isFirstInPair, referenceId, mateReferenceId } = record;
  if (!isPaired || isUnmapped || isMateUnmapped || referenceId !== mateReferenceId) return undefined;
  const read = `${record.isReverse ? 'R' : 'F'}${isFirstInPair ? 1 : 2}`;
  const mate = `${record.isMateReverse ? 'R' : 'F'}${isFirstInPair ? 2 : 1}`;
  const distance = record.start - record.mateStart;
  return distance < 0 || (distance === 0 && isFirstInPair) ? read + mate : mate + read;
}

/** Returns the bases that are clipped at the first base that was sequenced. */
function clipAtStart(record: AlignmentRecord): number {
  const operation = record.cigar.at(record.isReverse ? -1 : 0);
  return operation?.operation === 'S' || operation?.operation === 'H' ? operation.length : 0;
}
