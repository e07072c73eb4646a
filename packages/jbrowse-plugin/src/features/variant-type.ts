import type { VariantRecord } from '@htskit/formats';

/** The kind of a variant as JBrowse shows it: terms of the Sequence Ontology, and a text. */
export interface VariantDescription {
  readonly type: string;
  readonly description: string;
}

/** The terms of symbolic alleles (VCFv4.3 §1.4.5), as JBrowse has them. */
const SYMBOLIC: Readonly<Record<string, string>> = {
  DEL: 'deletion',
  INS: 'insertion',
  DUP: 'duplication',
  INV: 'inversion',
  CNV: 'copy_number_variation',
  TRA: 'translocation',
  'DUP:TANDEM': 'tandem_duplication',
  NON_REF: 'sequence_variant',
  '*': 'sequence_variant',
};
/** Longer alleles are described by their lengths. */
const MOST_SHOWN_BASES = 5;

/** Describes a variant by its alleles. */
export function describeVariant({ ref, alt }: Pick<VariantRecord, 'ref' | 'alt'>): VariantDescription {
  if (alt.length === 0) return { type: 'remark', description: 'no alternative alleles' };
  const described = alt.map((allele) => describeAllele(ref, allele));
  const unique = (values: readonly string[]): string => [...new Set(values)].join(',');
  return {
    type: unique(described.map(({ type }) => type)),
    description: unique(described.map(({ description }) => description)),
  };
}

function describeAllele(ref: string, allele: string): VariantDescription {
  const symbol = /^<(.*)>$/.exec(allele)?.[1] ?? (allele === '*' ? '*' : undefined);
  if (symbol !== undefined) return { type: symbolicType(symbol), description: allele };
  if (/[[\]]/.test(allele) || allele.startsWith('.') || allele.endsWith('.')) {
    return { type: 'breakend', description: allele };
  }
  const type = plainType(ref, allele);
  if (ref.length <= MOST_SHOWN_BASES && allele.length <= MOST_SHOWN_BASES) {
    return { type, description: `${type} ${ref} -> ${allele}` };
  }
  const difference = Math.abs(ref.length - allele.length);
  const sizes: Readonly<Record<string, string>> = { insertion: `${difference}bp INS`, deletion: `${difference}bp DEL` };
  return { type, description: sizes[type] ?? `${type} ${ref.length}bp -> ${allele.length}bp` };
}

/** Returns the term of a symbol, or of its beginning before a colon. */
function symbolicType(symbol: string): string {
  const parts = symbol.split(':');
  for (let count = parts.length; count > 0; count--) {
    const term = SYMBOLIC[parts.slice(0, count).join(':')];
    if (term !== undefined) return term;
  }
  return 'sequence_variant';
}

function plainType(ref: string, allele: string): string {
  if (ref.length === 1 && allele.length === 1) return 'SNV';
  if (ref.length === allele.length) return 'substitution';
  return ref.length < allele.length ? 'insertion' : 'deletion';
}
