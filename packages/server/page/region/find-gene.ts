import type { HtsgetRegion } from '@htskit/protocol';

/** The attributes of GFF3 and GTF that hold names. */
const NAME = /(?:^|;)\s*(?:Name|gene_name|gene|gene_id|ID)[= ]"?(?<name>[^";]+)"?/gi;

/** Returns the format of an annotation file: `gff3`, `gtf` or `bed`. */
export function annotationFormat(name: string): 'gff3' | 'gtf' | 'bed' {
  if (/\.bed(?:\.b?gz)?$/i.test(name)) return 'bed';
  return /\.gtf(?:\.b?gz)?$/i.test(name) ? 'gtf' : 'gff3';
}

/** Finds the longest feature of a name, in any letter case, in the text of an annotation file. */
export function findGene(
  text: string,
  wanted: string,
  format: ReturnType<typeof annotationFormat>,
): HtsgetRegion | undefined {
  const name = wanted.toLowerCase();
  // Most lines hold no such text, and need not be split.
  if (!text.toLowerCase().includes(name)) return undefined;
  let found: Required<HtsgetRegion> | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || !line.toLowerCase().includes(name)) continue;
    const feature = format === 'bed' ? bedFeature(line) : gffFeature(line);
    const isNamed = feature?.names.some((each) => each.toLowerCase() === name) === true;
    if (!isNamed) continue;
    const { referenceName, start, end } = feature;
    if (found === undefined || end - start > found.end - found.start) found = { referenceName, start, end };
  }
  return found;
}

interface Feature extends Required<HtsgetRegion> {
  readonly names: readonly string[];
}

function bedFeature(line: string): Feature | undefined {
  const [referenceName = '', start, end, name = ''] = line.trimEnd().split('\t');
  return toFeature(referenceName, Number(start), Number(end), [name]);
}

/** GFF3 and GTF count from 1, and include the last base. */
function gffFeature(line: string): Feature | undefined {
  const [referenceName = '', , , first, last, , , , attributes = ''] = line.trimEnd().split('\t');
  const names = Array.from(attributes.matchAll(NAME), ({ groups }) => groups?.['name'] ?? '');
  return toFeature(referenceName, Number(first) - 1, Number(last), names);
}

function toFeature(referenceName: string, start: number, end: number, names: readonly string[]): Feature | undefined {
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start < end
    ? { referenceName, start, end, names }
    : undefined;
}
