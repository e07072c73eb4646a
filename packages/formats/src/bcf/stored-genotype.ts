import { checkAllele, LEAST, readElement } from '../convert/variants/bcf-values.js';
import { invalidData } from '../format-error.js';
import { type GenotypeCall, UNKNOWN_ALLELE } from '../vcf/genotypes/genotype-call.js';
import type { VariantHeader } from '../vcf/variant-header.js';
import { INT8, INT32 } from './typed-value.js';

/** From this version on, the phase of the first allele is stored (VCFv4.4 §6.3.3). */
const FIRST_PHASE_VERSION = 404;

/** Whether records of a header have the phase of the first allele. */
export function hasFirstPhase({ version }: Pick<VariantHeader, 'version'>): boolean {
  return version >= FIRST_PHASE_VERSION;
}

/** A value of GT of one sample. */
export interface StoredAlleles {
  readonly type: number;
  readonly count: number;
  readonly elementBytes: number;
  readonly start: number;
  readonly hasFirstPhase: boolean;
}

/** Parses a value of GT (VCFv4.3 §6.3.3). Throws `FormatError` `INVALID_DATA` for one that has no integers, and for negative ones. */
export function parseStoredGenotype(call: GenotypeCall, view: DataView, stored: StoredAlleles): void {
  const { type, count, elementBytes, start } = stored;
  if (count > 0 && (type < INT8 || type > INT32)) throw invalidData('GT is not a vector of integers', start);
  const end = (LEAST[type] ?? 0) + 1;
  call.begin(stored.hasFirstPhase && count > 0 ? (readElement(view, start, type) & 1) === 1 : undefined);
  for (let i = 0, at = start; i < count; i++, at += elementBytes) {
    const value = readElement(view, at, type);
    if (value === end) break;
    checkAllele(value, type, start);
    // The missing value of the type is an unknown allele, too.
    call.add(value > 1 ? (value >> 1) - 1 : UNKNOWN_ALLELE, (value & 1) === 1);
  }
  if (call.count > 0) return;
  call.begin(undefined);
  call.add(UNKNOWN_ALLELE, false);
}
