import { OBJECT_KINDS } from '@htskit/catalogue/internal';

/** The formats that the name of a file can state. */
export type NamedFormat = 'sam' | 'sam.gz' | 'bam' | 'cram' | 'vcf' | 'vcf.gz' | 'bcf' | 'arrow' | 'parquet';

/** Formats by the extension of their files: those of served objects, text, and tables. */
const EXTENSIONS: readonly (readonly [extension: string, format: NamedFormat])[] = [
  ...OBJECT_KINDS.filter(({ isEncrypted }) => !isEncrypted).map(
    ({ extension, format }) =>
      [extension, format === 'VCF' ? 'vcf.gz' : (format.toLowerCase() as Lowercase<typeof format>)] as const,
  ),
  ['.sam', 'sam'],
  ['.sam.gz', 'sam.gz'],
  ['.vcf', 'vcf'],
  ['.arrow', 'arrow'],
  ['.arrows', 'arrow'],
  ['.parquet', 'parquet'],
];

/** Returns the format that the name of a file states, in any letter case; undefined for other names. */
export function namedFormat(path: string): NamedFormat | undefined {
  const name = path.toLowerCase();
  return EXTENSIONS.find(([extension]) => name.endsWith(extension))?.[1];
}
