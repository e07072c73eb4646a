import { decodeText } from '@htskit/io';
import { type GenotypeCall, UNKNOWN_ALLELE } from './genotype-call.js';

const [TAB, SLASH, COLON, PIPE, ZERO, NINE] = [0x09, 0x2f, 0x3a, 0x7c, 0x30, 0x39];
/** Digits whose value a double holds exactly. */
const EXACT_DIGITS = 15;

/**
 * Parses the genotype that begins at `start` and ends before a colon, a tab or `limit` (VCFv4.3 §1.6.2, VCFv4.4 §1.6.2), and returns
 * the offset of its end. Alleles that are not numbers are unknown.
 */
export function parseGenotypeText(call: GenotypeCall, bytes: Uint8Array, start: number, limit: number): number {
  const prefix = start < limit ? bytes[start] : undefined;
  const hasPrefix = prefix === PIPE || prefix === SLASH;
  call.begin(hasPrefix ? prefix === PIPE : undefined);
  let isPhased = false;
  for (let at = hasPrefix ? start + 1 : start; ; at++) {
    const end = alleleEnd(bytes, at, limit);
    call.add(parseAllele(bytes, at, end), isPhased);
    const separator = end < limit ? bytes[end] : undefined;
    if (separator !== PIPE && separator !== SLASH) return end;
    isPhased = separator === PIPE;
    at = end;
  }
}

function alleleEnd(bytes: Uint8Array, start: number, limit: number): number {
  for (let at = start; at < limit; at++) {
    const byte = bytes[at];
    if (byte === SLASH || byte === PIPE || byte === COLON || byte === TAB) return at;
  }
  return limit;
}

function parseAllele(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) return UNKNOWN_ALLELE;
    value = 10 * value + byte - ZERO;
  }
  if (start === end) return UNKNOWN_ALLELE;
  return end - start > EXACT_DIGITS ? Number(decodeText(bytes, start, end)) : value;
}
