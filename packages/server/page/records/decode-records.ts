import { AlignmentRecord, parseBamHeader, parseVcfHeader, VariantHeader, VcfVariantRecord } from '@htskit/formats';
import type { HtsgetRegion } from '@htskit/protocol';

/** A reference of the header. The header of a VCF need not say its length. */
export interface ShownReference {
  readonly name: string;
  readonly length: number | undefined;
}

/** The cells of a record in the table. */
type ShownRecord = readonly (string | number)[];

/** The decoded records of a file. */
export interface DecodedFile {
  readonly headerText: string;
  readonly references: readonly ShownReference[];
  readonly samples: readonly string[];
  /** The titles of the cells; those that end with `#` are numeric. */
  readonly titles: readonly string[];
  /** The first records that overlap the region. */
  readonly records: readonly ShownRecord[];
  /** The numbers of records that overlap the region, and of all that were delivered. */
  readonly overlapping: number;
  readonly delivered: number;
  /** The uncompressed bytes of these records. */
  readonly overlappingBytes: number;
  readonly deliveredBytes: number;
}

/** The maximum number of records whose cells are decoded. */
const MOST_RECORDS = 20_000;

/** Decodes BAM or VCF that is not compressed. Without a region all records count as overlapping. */
export function decodeRecords(
  data: Uint8Array,
  { datatype, region }: { readonly datatype: 'reads' | 'variants'; readonly region: HtsgetRegion | undefined },
): DecodedFile {
  return datatype === 'reads' ? decodeAlignments(data, region) : decodeVariants(data, region);
}

interface Placed {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  readonly byteLength: number;
}

/** Counts records, and keeps those of the region up to a limit. */
class Selection {
  readonly records: ShownRecord[] = [];
  overlapping = 0;
  delivered = 0;
  overlappingBytes = 0;
  deliveredBytes = 0;
  readonly #region: HtsgetRegion | undefined;

  constructor(region: HtsgetRegion | undefined) {
    this.#region = region;
  }

  add(placed: Placed, show: () => ShownRecord): void {
    this.delivered++;
    this.deliveredBytes += placed.byteLength;
    if (!overlaps(placed, this.#region)) return;
    this.overlapping++;
    this.overlappingBytes += placed.byteLength;
    if (this.records.length < MOST_RECORDS) this.records.push(show());
  }
}

function overlaps({ referenceName, start, end }: Placed, region: HtsgetRegion | undefined): boolean {
  if (region === undefined) return true;
  // An unplaced record has the start -1.
  const { referenceName: name, start: from = -1, end: to = Number.POSITIVE_INFINITY } = region;
  // A record without bases counts as one base, as in an index.
  return referenceName === name && start < to && Math.max(end, start + 1) > from;
}

const FLAG_NAMES = [
  ['isReverse', 'reverse'],
  ['isSecondary', 'secondary'],
  ['isSupplementary', 'supplementary'],
  ['isDuplicate', 'duplicate'],
  ['isQcFail', 'QC fail'],
  ['isUnmapped', 'unmapped'],
] as const;

function decodeAlignments(data: Uint8Array, region: HtsgetRegion | undefined): DecodedFile {
  const { text, references, byteLength } = parseBamHeader(data);
  const selection = new Selection(region);
  const record = new AlignmentRecord();
  for (let at = byteLength; at < data.length; at = record.byteEnd) {
    const { start, end, byteEnd, referenceId } = record.at(data, at);
    const referenceName = references[referenceId]?.name ?? '*';
    selection.add({ referenceName, start, end, byteLength: byteEnd - at }, () => showAlignment(record, references));
  }
  const titles = ['Name', 'Position#', 'MAPQ#', 'CIGAR', 'Flags', 'Mate', 'TLEN#', 'NM#', 'Bases'];
  return { headerText: text, references, samples: samplesOf(text), titles, ...countsOf(selection) };
}

function showAlignment(record: AlignmentRecord, references: readonly { readonly name: string }[]): ShownRecord {
  const { start, referenceId, mateReferenceId, mateStart } = record;
  const flags = FLAG_NAMES.filter(([key]) => record[key]).map(([, name]) => name);
  const mateName = mateReferenceId === referenceId ? '' : `${references[mateReferenceId]?.name}:`;
  const mate = mateReferenceId < 0 ? '' : `${mateName}${(mateStart + 1).toLocaleString('en-US')}`;
  const mismatches = record.tag('NM');
  return [
    record.name,
    start + 1,
    record.mappingQuality,
    record.cigarText,
    flags.join(', '),
    mate,
    record.templateLength,
    typeof mismatches === 'number' ? mismatches : '',
    record.sequence,
  ];
}

/** Returns the samples that the read groups of a SAM header name (SAMv1 §1.3). */
function samplesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/^@RG\t.*?\bSM:([^\t\n]+)/gm), ([, sample = '']) => sample))];
}

function decodeVariants(data: Uint8Array, region: HtsgetRegion | undefined): DecodedFile {
  const { text, contigs: references, byteLength } = parseVcfHeader(data);
  const header = new VariantHeader({ text });
  const selection = new Selection(region);
  const record = new VcfVariantRecord(header);
  for (let at = byteLength; at < data.length; at = record.byteEnd) {
    const { referenceName, start, end, byteEnd } = record.at(data, at);
    selection.add({ referenceName, start, end, byteLength: byteEnd - at }, () => showVariant(record));
  }
  const { samples } = header;
  const titles = ['Position#', 'ID', 'REF', 'ALT', 'QUAL#', 'FILTER', 'INFO', ...samples.slice(0, MOST_SAMPLES)];
  return { headerText: text, references, samples, titles, ...countsOf(selection) };
}

/** The maximum number of samples whose genotypes have a column. */
const MOST_SAMPLES = 6;

function showVariant(record: VcfVariantRecord): ShownRecord {
  const columns = record.toVcf().split('\t');
  const genotypes = columns.slice(9, 9 + MOST_SAMPLES).map((values) => values.split(':', 1)[0] ?? '');
  return [
    record.start + 1,
    record.id ?? '',
    record.ref,
    record.alt.join(', '),
    record.quality ?? '',
    record.filters?.join(', ') ?? '',
    columns[7] ?? '',
    ...genotypes,
  ];
}

function countsOf(
  selection: Selection,
): Pick<DecodedFile, 'records' | 'overlapping' | 'delivered' | 'overlappingBytes' | 'deliveredBytes'> {
  const { records, overlapping, delivered, overlappingBytes, deliveredBytes } = selection;
  return { records, overlapping, delivered, overlappingBytes, deliveredBytes };
}
