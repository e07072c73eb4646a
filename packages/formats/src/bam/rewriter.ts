import type { ByteRange } from '@htskit/io';
import { createRecordRewriter, type RecordCopy, type RecordRewriter } from '../records/record-rewriter.js';
import type { RecordLimits } from '../records/record-splitter.js';
import { binOf } from './bin.js';
import {
  BAM_LAYOUT,
  BLOCK_SIZE_BYTES,
  baseCount,
  baseEnd,
  baseStart,
  basesStart,
  checkRecord,
  cigarStart,
  longCigarStart,
  NO_QUALITY,
  nameStart,
  operationCount,
  qualitiesStart,
  softClip,
  tagsStart,
  unmappedFlag,
} from './record-fields.js';
import { type BamSelection, type KeptFields, keepsAllFields, keptFields, keptTags } from './selection.js';
import { bamTagCodeAt, bamTagEnd } from './tags/tags.js';

/** "*\0" as a number. */
const NO_NAME = 0x002a;
const NO_NAME_BYTES = 2;
const NO_MAPPING_QUALITY = 255;

/** The parts of a record that a rewriter keeps. */
interface KeptParts {
  readonly fields: KeptFields;
  readonly keepsAllFields: boolean;
  /** 1 at the code of each kept tag. */
  readonly tags: Uint8Array;
}

/**
 * Creates a rewriter of uncompressed BAM records, without the header, that drops fields and tags.
 *
 * A dropped field gets the value for "not available" (SAMv1 §1.4, §4.2): QNAME and SEQ `*`, an empty CIGAR, QUAL 0xff, MAPQ
 * 255, RNAME, POS, RNEXT and PNEXT −1, FLAG and TLEN 0. The bin is that of the new record. If an unmapped record keeps its
 * CIGAR and SEQ, dropping FLAG keeps 0x4, because htslib rejects a CIGAR that does not match SEQ except in unmapped records.
 * The tag CG of a long CIGAR is kept and dropped with CIGAR; htslib uses it only if RNAME and POS are kept, too.
 *
 * @example
 * ```ts
 * import { createBamRewriter } from '@htskit/formats';
 * import { toOwned } from '@htskit/io';
 *
 * const rewriter = createBamRewriter({ notags: ['MD'] });
 * export const withoutMd = (piece: Uint8Array): Uint8Array[] => rewriter.push(piece).map(toOwned);
 * ```
 */
export function createBamRewriter({ fields, tags, notags }: BamSelection, limits: RecordLimits = {}): RecordRewriter {
  const kept: KeptParts = {
    fields: keptFields({ fields }),
    keepsAllFields: keepsAllFields({ fields }),
    tags: keptTags({ tags, notags }),
  };
  return createRecordRewriter({
    ...BAM_LAYOUT,
    limits,
    edit: (view, at, end, copy) => editRecord(view, { start: at, end }, kept, copy),
  });
}

function editRecord(view: DataView, record: ByteRange, kept: KeptParts, copy: RecordCopy): void {
  const { start: at, end } = record;
  checkRecord(view, at);
  const cigarTagStart = longCigarStart(view, at);
  const start = copy.positionOf(at);
  if (!kept.keepsAllFields) cutFields(view, at, kept.fields, copy);
  cutTags(view, { start: tagsStart(view, at), end }, { kept, cigarTagStart }, copy);
  const length = copy.positionOf(end) - start;
  if (!kept.keepsAllFields) copy.keepTo(end);
  // If the length changed, something was cut, so that the start of the record is already copied.
  if (length !== end - at) copy.view.setUint32(start, length - BLOCK_SIZE_BYTES, true);
  if (!kept.keepsAllFields) replaceFields(copy.view, start, kept.fields, cigarTagStart !== -1);
}

/** Cuts the variable-size fields of the record at `at` that are not kept. */
function cutFields(view: DataView, at: number, kept: KeptFields, copy: RecordCopy): void {
  const cigar = cigarStart(view, at);
  const tags = tagsStart(view, at);
  if (!kept.QNAME) {
    const name = copy.replace(nameStart(at), cigar, NO_NAME_BYTES);
    copy.view.setUint16(name, NO_NAME, true);
  }
  if (!kept.CIGAR) copy.cut(cigar, basesStart(view, at));
  if (!kept.SEQ) {
    copy.cut(basesStart(view, at), tags);
  } else if (!kept.QUAL) {
    const qualities = copy.replace(qualitiesStart(view, at), tags, baseCount(view, at));
    copy.bytes.fill(NO_QUALITY, qualities, qualities + baseCount(view, at));
  }
}

/** Cuts the tags that are not kept. */
function cutTags(
  view: DataView,
  tags: ByteRange,
  { kept, cigarTagStart }: { readonly kept: KeptParts; readonly cigarTagStart: number },
  copy: RecordCopy,
): void {
  for (let at = tags.start; at < tags.end; ) {
    const end = bamTagEnd(view, at, tags.end);
    const isKept = at === cigarTagStart ? kept.fields.CIGAR : kept.tags[bamTagCodeAt(view, at)] === 1;
    if (!isKept) copy.cut(at, end);
    at = end;
  }
}

/** Replaces the fixed-size fields of the rewritten record at `at`, whose variable-size fields are already cut. */
function replaceFields(view: DataView, at: number, kept: KeptFields, hasLongCigar: boolean): void {
  if (!kept.RNAME) view.setInt32(at + 4, -1, true);
  if (!kept.POS) view.setInt32(at + 8, -1, true);
  if (!kept.QNAME) view.setUint8(at + 12, NO_NAME_BYTES);
  if (!kept.MAPQ) view.setUint8(at + 13, NO_MAPPING_QUALITY);
  if (!kept.CIGAR) view.setUint16(at + 16, 0, true);
  if (!kept.SEQ) view.setUint32(at + 20, 0, true);
  // A placeholder is recognized by its first operation, which clips all bases.
  if (!kept.SEQ && kept.CIGAR && hasLongCigar) view.setUint32(cigarStart(view, at), softClip(0), true);
  if (!kept.RNEXT) view.setInt32(at + 24, -1, true);
  if (!kept.PNEXT) view.setInt32(at + 28, -1, true);
  if (!kept.TLEN) view.setInt32(at + 32, 0, true);
  if (!kept.FLAG) view.setUint16(at + 18, hasCigarAndBases(view, at) ? unmappedFlag(view, at) : 0, true);
  if (!kept.FLAG || !kept.POS || !kept.CIGAR) {
    view.setUint16(at + 14, binOf(baseStart(view, at), baseEnd(view, at)), true);
  }
}

/** Returns whether a record has both CIGAR and SEQ, which may disagree. */
function hasCigarAndBases(view: DataView, at: number): boolean {
  return operationCount(view, at) > 0 && baseCount(view, at) > 0;
}
