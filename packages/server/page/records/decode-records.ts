import { AlignmentRecord, parseBamHeader, parseVcfHeader, VariantHeader, VcfVariantRecord } from '@htskit/formats';
import type { HtsgetRegion } from '@htskit/protocol';

/** A reference of the header. The header of a VCF need not have its length. */
export interface ShownReference {
  readonly name: string;
  readonly length: number | undefined;
}

/** A record that overlaps the region. */
export interface PlacedRecord {
  /** Its offset in the data. */
  readonly at: number;
  /** 0-based, half-open. */
  readonly start: number;
  readonly end: number;
}

/** What is known of a file of either datatype. */
interface FileFacts {
  readonly headerText: string;
  readonly references: readonly ShownReference[];
  readonly samples: readonly string[];
  /** The first records that overlap the region. */
  readonly records: readonly PlacedRecord[];
  /** The numbers of records that overlap the region, and of all that were delivered. */
  readonly overlapping: number;
  readonly delivered: number;
  /** The uncompressed bytes of these records. */
  readonly overlappingBytes: number;
  readonly deliveredBytes: number;
}

/** Decoded alignments. `view` moves one view to a record, and returns it. */
export interface AlignmentFile extends FileFacts {
  readonly datatype: 'reads';
  readonly view: (record: PlacedRecord) => AlignmentRecord;
}

/** Decoded variants. `view` moves one view to a record, and returns it. */
export interface VariantFile extends FileFacts {
  readonly datatype: 'variants';
  readonly view: (record: PlacedRecord) => VcfVariantRecord;
}

export type DecodedFile = AlignmentFile | VariantFile;

/** The maximum number of records that are kept to be shown. */
const MOST_RECORDS = 20_000;

/** Decodes BAM or VCF that is not compressed. Without a region all records count as overlapping. */
export function decodeRecords(
  data: Uint8Array,
  { datatype, region }: { readonly datatype: 'reads' | 'variants'; readonly region: HtsgetRegion | undefined },
): DecodedFile {
  return datatype === 'reads' ? decodeAlignments(data, region) : decodeVariants(data, region);
}

interface Placed extends PlacedRecord {
  readonly referenceName: string;
  readonly byteLength: number;
}

/** Counts records, and keeps those of the region up to a limit. */
class Selection {
  readonly records: PlacedRecord[] = [];
  overlapping = 0;
  delivered = 0;
  overlappingBytes = 0;
  deliveredBytes = 0;
  readonly #region: HtsgetRegion | undefined;

  constructor(region: HtsgetRegion | undefined) {
    this.#region = region;
  }

  add(placed: Placed): void {
    this.delivered++;
    this.deliveredBytes += placed.byteLength;
    if (!overlaps(placed, this.#region)) return;
    this.overlapping++;
    this.overlappingBytes += placed.byteLength;
    const { at, start, end } = placed;
    if (this.records.length < MOST_RECORDS) this.records.push({ at, start, end });
  }
}

function overlaps({ referenceName, start, end }: Placed, region: HtsgetRegion | undefined): boolean {
  if (region === undefined) return true;
  // An unplaced record has the start -1.
  const { referenceName: name, start: from = -1, end: to = Number.POSITIVE_INFINITY } = region;
  // A record without bases counts as one base, as in an index.
  return referenceName === name && start < to && Math.max(end, start + 1) > from;
}

function decodeAlignments(data: Uint8Array, region: HtsgetRegion | undefined): AlignmentFile {
  const { text, references, byteLength } = parseBamHeader(data);
  const selection = new Selection(region);
  const record = new AlignmentRecord();
  for (let at = byteLength; at < data.length; at = record.byteEnd) {
    const { start, end, byteEnd, referenceId } = record.at(data, at);
    const referenceName = references[referenceId]?.name ?? '*';
    selection.add({ at, referenceName, start, end, byteLength: byteEnd - at });
  }
  const view = ({ at }: PlacedRecord): AlignmentRecord => record.at(data, at);
  return { datatype: 'reads', headerText: text, references, samples: samplesOf(text), ...factsOf(selection), view };
}

/** Returns the samples that the read groups of a SAM header name (SAMv1 §1.3). */
function samplesOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/^@RG\t.*?\bSM:([^\t\n]+)/gm), ([, sample = '']) => sample))];
}

function decodeVariants(data: Uint8Array, region: HtsgetRegion | undefined): VariantFile {
  const { text, contigs: references, byteLength } = parseVcfHeader(data);
  const header = new VariantHeader({ text });
  const selection = new Selection(region);
  const record = new VcfVariantRecord(header);
  for (let at = byteLength; at < data.length; at = record.byteEnd) {
    const { referenceName, start, end, byteEnd } = record.at(data, at);
    selection.add({ at, referenceName, start, end, byteLength: byteEnd - at });
  }
  const view = ({ at }: PlacedRecord): VcfVariantRecord => record.at(data, at);
  return { datatype: 'variants', headerText: text, references, samples: header.samples, ...factsOf(selection), view };
}

function factsOf(
  selection: Selection,
): Pick<FileFacts, 'records' | 'overlapping' | 'delivered' | 'overlappingBytes' | 'deliveredBytes'> {
  const { records, overlapping, delivered, overlappingBytes, deliveredBytes } = selection;
  return { records, overlapping, delivered, overlappingBytes, deliveredBytes };
}
