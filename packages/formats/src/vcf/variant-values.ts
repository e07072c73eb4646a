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

const [ZERO, NINE] = [0x30, 0x39];
const encoder = new TextEncoder();
const numbers = new NumberReader();

/** Parses the text of a value by the declaration of its key, without which it is a text. */
export function parseVariantText(text: string, key: VariantKey | undefined): VariantValue {
  const isList = key !== undefined && (key.number !== '1' || isNumeric(key)) && key.type !== 'Flag';
  if (isList && text.includes(',')) return text.split(',').map((value) => parseScalar(value, key));
  const value = parseScalar(text, key);
  return isSingle(key) ? value : [value];
}

/** Returns values as the declaration of their key demands: a single one of `Number=1` as it is, otherwise an array. */
export function toVariantValue(values: readonly VariantScalar[], key: VariantKey | undefined): VariantValue {
  const [first = null] = values;
  return isSingle(key) && values.length <= 1 ? first : values;
}

function isSingle(key: VariantKey | undefined): boolean {
  return key === undefined || key.type === 'Flag' || key.number === '1';
}

/** A number of few digits, which takes a tenth of the time of other forms. */
const DECIMAL = /^-?\d{1,9}(?:\.\d{1,6})?$/;

function isNumeric({ type }: VariantKey): boolean {
  return type === 'Integer' || type === 'Float';
}

function parseScalar(text: string, key: VariantKey | undefined): VariantScalar {
  if (text === '.' || text === '') return null;
  if (key?.type === 'Integer') {
    const first = text.charCodeAt(0);
    const isNumber = (first >= ZERO && first <= NINE) || /^[+-]\d/.test(text);
    return isNumber ? Number.parseInt(text, 10) : null;
  }
  if (key?.type !== 'Float') return text;
  if (DECIMAL.test(text)) return Number(text);
  const bytes = encoder.encode(text);
  const value = numbers.float(bytes, 0, bytes.length);
  return numbers.end > 0 ? value : null;
}

/** Parses the text of GT. Alleles that are not numbers are unknown. */
export function parseGenotype(text: string): Genotype {
  const hasPrefix = text.startsWith('|') || text.startsWith('/');
  const alleles = (hasPrefix ? text.slice(1) : text).split(/[/|]/);
  const separators = Array.from(text.matchAll(/[/|]/g), ([separator]) => separator === '|');
  const first = hasPrefix ? separators[0] : undefined;
  const others = hasPrefix ? separators.slice(1) : separators;
  return createGenotype(
    alleles.map((allele) => (/^\d+$/.test(allele) ? Number(allele) : null)),
    { first, others },
  );
}

/** Creates a genotype from the phases of its alleles. Without that of the first one, it follows from the others. */
export function createGenotype(
  alleles: readonly (number | null)[],
  { first, others }: { readonly first: boolean | undefined; readonly others: readonly boolean[] },
): Genotype {
  const implied = alleles.length > 1 ? others.every(Boolean) : (alleles[0] ?? null) !== null;
  const phases = [first ?? implied, ...others];
  return { alleles, phases, isPhased: phases.every(Boolean) };
}
