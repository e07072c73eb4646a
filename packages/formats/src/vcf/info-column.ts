import { FormatError } from '../format-error.js';
import type { KeyNames } from '../key-names.js';
import type { RecordCopy } from '../record-copy.js';
import { LAST_LINE_CONTROL } from './line.js';

const TAB = 0x09;
const DOT = 0x2e;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;

/**
 * Cuts the entries whose keys are not kept, and empty ones, from the column INFO, which begins the columns [start, end).
 * Where nothing remains, `.` stands. Returns where the column ends.
 */
export function editInfo(
  columns: { readonly bytes: Uint8Array; readonly start: number; readonly end: number },
  keys: KeyNames,
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
    const isKept = at > entryStart && keys.keeps(bytes, entryStart, at);
    while (byte > LAST_LINE_CONTROL && byte !== SEMICOLON) byte = bytes[++at] ?? 0;
    if (!isKept) continue;
    const cutStart = keptEnd === -1 ? start : keptEnd;
    const cutEnd = keptEnd === -1 ? entryStart : entryStart - 1;
    if (cutStart < cutEnd) copy.cut(cutStart, cutEnd);
    keptEnd = at;
  }
  const infoEnd = at - 1;
  if (infoEnd < end && byte !== TAB) {
    throw new FormatError('INVALID_DATA', 'a column has a control character', { offset: infoEnd });
  }
  if (keptEnd === -1) {
    const position = copy.replace(start, infoEnd, 1);
    copy.bytes[position] = DOT;
  } else if (keptEnd < infoEnd) {
    copy.cut(keptEnd, infoEnd);
  }
  return infoEnd;
}
