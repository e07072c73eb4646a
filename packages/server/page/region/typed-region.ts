import type { HtsgetRegion } from '@htskit/protocol';
import { parseRegion } from '../../src/stored-file/parse-region.js';

/** A name and positions as tables have them, with white space between them: `chr1 1000 2000`. */
const SPACED = /^(?<name>\S+)\s+(?<first>[\d,.kmg]+)(?:\s*-\s*|\s+)(?<last>[\d,.kmg]+)$/i;

/**
 * Parses a region as people type it: as `parseRegion` does, or with white space in place of marks. A name that is not a reference
 * may have another form of it, such as `1` or `CHR1` for `chr1`. Throws RegionError for other text.
 */
export function parseTypedRegion(text: string, references: readonly string[]): HtsgetRegion {
  const trimmed = text.trim();
  const { name = '', first = '', last = '' } = SPACED.exec(trimmed)?.groups ?? {};
  const known = new Set(references);
  const region = parseRegion(name === '' ? trimmed : `{${name}}:${first}-${last}`, (reference) => known.has(reference));
  const { referenceName } = region;
  if (known.size === 0 || known.has(referenceName) || referenceName === '*') return region;
  const wanted = plainName(referenceName);
  const found = references.filter((reference) => plainName(reference) === wanted);
  return found.length === 1 && found[0] !== undefined ? { ...region, referenceName: found[0] } : region;
}

/** Returns a name in the form that all ways to write it share: `chrM`, `MT` and `chrMT` are `m`. */
function plainName(name: string): string {
  const plain = name.toLowerCase().replace(/^chr/, '');
  return plain === 'mt' ? 'm' : plain;
}
