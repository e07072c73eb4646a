import { invalidData } from '../format-error.js';
import type { SelectedKeys } from '../records/key-selection.js';
import { createRecordRewriter, type RecordCopy, type RecordRewriter } from '../records/record-rewriter.js';
import type { RecordLimits } from '../records/record-splitter.js';
import { FormatColumns } from './format-columns.js';
import { contentEnd, isRecordLine, LAST_LINE_CONTROL, VCF_LAYOUT } from './record.js';
import { SampleEditor } from './samples/sample-editor.js';
import { selectVariantKeys, type VariantSelection } from './samples/sample-subset.js';

const TAB = 0x09;
const DOT = 0x2e;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
/** The index of the column INFO. */
const INFO_INDEX = 7;

/**
 * Creates a rewriter of uncompressed VCF lines, without the header, that drops keys of INFO and FORMAT, and samples. One name means
 * both INFO and FORMAT (VCFv4.3 §1.6). INFO, FORMAT or a sample that loses everything becomes `.`; a sample without trailing values
 * still lacks them afterwards. Lines end with LF or CRLF, the last one optionally with the data. Blank lines, lines that start with
 * `#` and empty entries of INFO are dropped.
 *
 * Its methods throw `FormatError` `INVALID_DATA` for a record without INFO, for control characters in INFO and, if FORMAT
 * loses a key, for control characters in samples and for samples with more values than FORMAT has keys. They throw it for a record
 * that lacks a kept sample, and for a counted genotype with an allele that the record lacks. Without a `subset`, samples that lose
 * nothing are copied unread.
 *
 * @example
 * ```ts
 * import { createVcfRewriter, parseVcfHeader } from '@htskit/formats';
 * import { toOwned } from '@htskit/io';
 *
 * export function withoutDepth(data: Uint8Array): Uint8Array[] {
 *   const { byteLength } = parseVcfHeader(data);
 *   const rewriter = createVcfRewriter({ notags: ['DP'] });
 *   return rewriter.push(data.subarray(byteLength)).map(toOwned); // complete lines only
 * }
 * ```
 */
export function createVcfRewriter(selection: VariantSelection, limits: RecordLimits = {}): RecordRewriter {
  const keys = selectVariantKeys(selection);
  const format = new FormatColumns(keys.format);
  const samples = selection.subset && new SampleEditor(selection.subset, keys);
  return createRecordRewriter({
    ...VCF_LAYOUT,
    limits,
    edit(bytes, at, end, copy) {
      if (!isRecordLine(bytes, at, end)) {
        copy.cut(at, end);
        return;
      }
      const columnsEnd = contentEnd(bytes, at, end);
      if (samples !== undefined) {
        samples.edit(bytes, at, columnsEnd, copy);
        return;
      }
      const infoEnd = editInfo({ bytes, start: findInfo(bytes, at, columnsEnd), end: columnsEnd }, keys.info, copy);
      if (infoEnd < columnsEnd) format.edit(bytes, infoEnd + 1, columnsEnd, copy);
    },
  });
}

/** Returns the start of the column INFO in the line [at, end). */
function findInfo(bytes: Uint8Array, at: number, end: number): number {
  let column = 0;
  for (let start = at; start < end; start++) {
    if (bytes[start] === TAB && ++column === INFO_INDEX) return start + 1;
  }
  throw invalidData('record has fewer than eight columns', at);
}

/**
 * Cuts empty entries and those whose keys are not kept from the column INFO, the first of the columns [start, end). Writes `.`
 * if nothing remains. Returns the end of the column.
 */
function editInfo(
  columns: { readonly bytes: Uint8Array; readonly start: number; readonly end: number },
  keys: SelectedKeys,
  copy: RecordCopy,
): number {
  const { bytes, start, end } = columns;
  let keptEnd = -1;
  let at = start;
  let byte = SEMICOLON;
  for (; byte === SEMICOLON; at++) {
    const entryStart = at;
    byte = bytes[at] ?? 0;
    while (byte > LAST_LINE_CONTROL && byte !== EQUALS && byte !== SEMICOLON) byte = bytes[++at] ?? 0;
    const isKept = at > entryStart && keys.has(bytes, entryStart, at);
    while (byte > LAST_LINE_CONTROL && byte !== SEMICOLON) byte = bytes[++at] ?? 0;
    if (!isKept) continue;
    const cutStart = keptEnd === -1 ? start : keptEnd;
    const cutEnd = keptEnd === -1 ? entryStart : entryStart - 1;
    if (cutStart < cutEnd) copy.cut(cutStart, cutEnd);
    keptEnd = at;
  }
  const infoEnd = at - 1;
  if (infoEnd < end && byte !== TAB) throw invalidData('control character in INFO', infoEnd);
  if (keptEnd === -1) {
    const position = copy.replace(start, infoEnd, 1);
    copy.bytes[position] = DOT;
  } else if (keptEnd < infoEnd) {
    copy.cut(keptEnd, infoEnd);
  }
  return infoEnd;
}
