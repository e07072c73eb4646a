import { decodeText, encodeText } from '@htskit/io';
import { NumberReader } from '../bytes/number-reader.js';
import type { VariantKey } from './variant-header.js';

/** A value of INFO or FORMAT; null if it is missing. */
export type VariantScalar = number | string | null;

/**
 * The value of a key of INFO or FORMAT: a single one if the header declares `Number=1`, otherwise an array. A key of INFO without
 * a value, such as a flag, is true.
 */
export type VariantValue = VariantScalar | readonly VariantScalar[] | true;

/** A genotype (VCFv4.3 §1.6.2, VCFv4.4 §1.6.2). */
export interface Genotype {
  /** The indexes of alleles: 0 is REF. Unknown ones are null. */
  readonly alleles: readonly (number | null)[];
  /** Whether each allele is phased. Before VCF 4.4, the first one is phased if the others are. */
  readonly phases: readonly boolean[];
  /** Whether all alleles are phased. A haploid genotype is phased if its allele is known. */
  readonly isPhased: boolean;
}

const [PLUS, MINUS, DOT, COMMA, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x2c, 0x30, 0x39];
const numbers = new NumberReader();

/** Parses the value [start, end) of a line by the declaration of its key, without which it is a text. */
export function parseVariantValue(
  bytes: Uint8Array,
  start: number,
  end: number,
  key: VariantKey | undefined,
): VariantValue {
  if (key === undefined || !isNumeric(key)) return parseText(decodeText(bytes, start, end), key);
  const firstEnd = commaOrEnd(bytes, start, end);
  const first = parseNumber(bytes, start, firstEnd, key);
  if (firstEnd === end) return isSingle(key) ? first : [first];
  const values = [first];
  for (let at = firstEnd; at < end; ) {
    const next = commaOrEnd(bytes, at + 1, end);
    values.push(parseNumber(bytes, at + 1, next, key));
    at = next;
  }
  return values;
}

/** Parses a text as `parseVariantValue` parses that of a line. */
export function parseVariantText(text: string, key: VariantKey | undefined): VariantValue {
  if (key === undefined || !isNumeric(key)) return parseText(text, key);
  const bytes = encodeText(text);
  return parseVariantValue(bytes, 0, bytes.length, key);
}

function parseText(text: string, key: VariantKey | undefined): VariantValue {
  const isList = !isSingle(key);
  if (isList && text.includes(',')) return text.split(',').map(toScalar);
  return isList ? [toScalar(text)] : toScalar(text);
}

function toScalar(text: string): VariantScalar {
  return text === '.' || text === '' ? null : text;
}

/** Returns the offset of the next comma of a value, or its end. */
export function commaOrEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== COMMA) at++;
  return at;
}

/** Parses a number of a value. Returns null for a missing one and for a text that does not begin with a number. */
export function parseNumber(bytes: Uint8Array, start: number, end: number, { type }: VariantKey): number | null {
  if (start === end || (end - start === 1 && bytes[start] === DOT)) return null;
  if (type === 'Integer') {
    const sign = bytes[start] === PLUS || bytes[start] === MINUS ? 1 : 0;
    const digit = bytes[start + sign] ?? 0;
    return digit >= ZERO && digit <= NINE ? numbers.integer(bytes, start) : null;
  }
  const value = numbers.float(bytes, start, end);
  return numbers.end > start ? value : null;
}

/** Returns values as the declaration of their key demands: a single one of `Number=1` as it is, otherwise an array. */
export function toVariantValue(values: readonly VariantScalar[], key: VariantKey | undefined): VariantValue {
  const [first = null] = values;
  return isSingle(key) && values.length <= 1 ? first : values;
}

function isSingle(key: VariantKey | undefined): boolean {
  return key === undefined || key.type === 'Flag' || key.number === '1';
}

/** Whether the values of a key are numbers. */
export function isNumeric({ type }: VariantKey): boolean {
  return type === 'Integer' || type === 'Float';
}
