import type { RecordCopy } from '../record-copy.js';
import { binOf } from './bin.js';
import { softClip } from './cigar.js';
import {
  baseCount,
  baseEnd,
  baseStart,
  basesStart,
  cigarStart,
  nameStart,
  operationCount,
  qualitiesStart,
  tagsStart,
  unmappedFlag,
} from './record-fields.js';
import type { KeptFields } from './selection.js';

/** "*\0" as a number. */
const NO_NAME = 0x002a;
const NO_NAME_BYTES = 2;
const NO_QUALITY = 0xff;
const NO_MAPPING_QUALITY = 255;

/** Cuts from `copy` what the record at `at` is not to keep of its parts in front of the tags. */
export function cutFields(view: DataView, at: number, kept: KeptFields, copy: RecordCopy): void {
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

/** How a record was that `replaceFields` changes. */
export interface FieldChange {
  readonly kept: KeptFields;
  /** Whether its CIGAR stands in the tag CG. */
  readonly hasLongCigar: boolean;
}

/** Replaces the fields of fixed size of the record at `at`, whose other parts are what it keeps. */
export function replaceFields(view: DataView, at: number, { kept, hasLongCigar }: FieldChange): void {
  if (!kept.RNAME) view.setInt32(at + 4, -1, true);
  if (!kept.POS) view.setInt32(at + 8, -1, true);
  if (!kept.QNAME) view.setUint8(at + 12, NO_NAME_BYTES);
  if (!kept.MAPQ) view.setUint8(at + 13, NO_MAPPING_QUALITY);
  if (!kept.CIGAR) view.setUint16(at + 16, 0, true);
  if (!kept.SEQ) view.setUint32(at + 20, 0, true);
  // The placeholder of a long CIGAR is known by its clipping all bases
  if (!kept.SEQ && kept.CIGAR && hasLongCigar) view.setUint32(cigarStart(view, at), softClip(0), true);
  if (!kept.RNEXT) view.setInt32(at + 24, -1, true);
  if (!kept.PNEXT) view.setInt32(at + 28, -1, true);
  if (!kept.TLEN) view.setInt32(at + 32, 0, true);
  if (!kept.FLAG) view.setUint16(at + 18, hasCigarOfBases(view, at) ? unmappedFlag(view, at) : 0, true);
  if (!kept.FLAG || !kept.POS || !kept.CIGAR) {
    view.setUint16(at + 14, binOf(baseStart(view, at), baseEnd(view, at)), true);
  }
}

/** Whether there is a CIGAR that SEQ may not match. */
function hasCigarOfBases(view: DataView, at: number): boolean {
  return operationCount(view, at) > 0 && baseCount(view, at) > 0;
}
