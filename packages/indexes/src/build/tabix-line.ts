import { FormatError, parseVcfRecordSpan } from '@htskit/formats';
import type { TabixSettings } from './tabix-settings.js';

/** Where a line of tab-delimited text stands, and what it covers. */
export interface TabixLineSpan {
  /** The name of the sequence, as bytes of the line. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** 0-based, half-open. */
  readonly baseStart: number;
  readonly baseEnd: number;
}

const TAB = 0x09;
const CIGAR_COLUMN = 6;
/** M, D, N, = and X. */
const CONSUMES_REFERENCE = Uint8Array.of(0x4d, 0x44, 0x4e, 0x3d, 0x58);
const [PLUS, MINUS, DOT] = [0x2b, 0x2d, 0x2e];
const [ZERO, NINE] = [0x30, 0x39];

/**
 * The span of a line, read as `settings` say. Throws `FormatError` INVALID_DATA, whose offset counts from the line's start, for
 * one that lacks a column or has a position that is no number.
 */
export function parseTabixLine(line: Uint8Array, settings: TabixSettings): TabixLineSpan {
  if (settings.preset === 'VCF' && settings.sequenceColumn === 1 && settings.startColumn === 2) {
    const { nameLength, baseStart, baseEnd } = parseVcfRecordSpan(line);
    return { nameStart: 0, nameEnd: nameLength, baseStart, baseEnd };
  }
  const { preset, isZeroBased, sequenceColumn, startColumn } = settings;
  const name = requireColumn(line, sequenceColumn);
  const position = columnNumber(line, startColumn);
  const baseStart = Math.max(0, isZeroBased ? position : position - 1);
  const oneBaseEnd = Math.max(1, isZeroBased ? position + 1 : position);
  const baseEnd = preset === 'SAM' ? baseStart + cigarLength(line) : (columnEnd(line, settings) ?? oneBaseEnd);
  return { nameStart: name.start, nameEnd: name.end, baseStart, baseEnd };
}

/**
 * What the column for the end says: an inclusive 1-based end is an exclusive 0-based one. A dot, with which GFF says that there
 * is no value, is none; tabix passes over such a line.
 */
function columnEnd(line: Uint8Array, { startColumn, sequenceColumn, endColumn }: TabixSettings): number | undefined {
  if (endColumn === startColumn || endColumn === sequenceColumn || endColumn < 1) return undefined;
  const column = findColumn(line, endColumn);
  if (column === undefined || (line[column.start] === DOT && column.end === column.start + 1)) return undefined;
  return columnNumber(line, endColumn);
}

/** Bases of the reference that the CIGAR covers, at least one. */
function cigarLength(line: Uint8Array): number {
  const { start, end } = findColumn(line, CIGAR_COLUMN) ?? { start: 0, end: 0 };
  let length = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    const byte = line[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) count = count * 10 + byte - ZERO;
    else {
      if (CONSUMES_REFERENCE.includes(byte)) length += count;
      count = 0;
    }
  }
  return Math.max(1, Math.min(length, Number.MAX_SAFE_INTEGER / 2));
}

/** The decimal whole number that a column begins with, with or without a sign. */
function columnNumber(line: Uint8Array, rank: number): number {
  const { start, end } = requireColumn(line, rank);
  const isNegative = line[start] === MINUS;
  let value = 0;
  let at = isNegative || line[start] === PLUS ? start + 1 : start;
  const digits = at;
  for (; at < end; at++) {
    const digit = (line[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (at > digits && Number.isSafeInteger(value)) return isNegative ? -value : value;
  throw new FormatError('INVALID_DATA', `column ${rank} holds no number`, { offset: start });
}

interface Column {
  readonly start: number;
  readonly end: number;
}

function requireColumn(line: Uint8Array, rank: number): Column {
  const column = findColumn(line, rank);
  if (column !== undefined) return column;
  throw new FormatError('INVALID_DATA', `there is no column ${rank}`, { offset: 0 });
}

/** The column of a rank, from 1. */
function findColumn(line: Uint8Array, rank: number): Column | undefined {
  let start = 0;
  for (let skipped = 1; skipped < rank; skipped++) {
    const tab = line.indexOf(TAB, start);
    if (tab === -1) return undefined;
    start = tab + 1;
  }
  const tab = line.indexOf(TAB, start);
  return { start, end: tab === -1 ? line.length : tab };
}
