import type { StoredFile } from '@htskit/htsget';
import type { HtsgetRegion } from '@htskit/protocol';
import { findExampleRegion } from '../../stored-file/example-region.js';
import type { VisiblePart } from './visible-objects.js';

/**
 * Finds a region with records that a request may see. Returns undefined for a file without any, or that is damaged: its tickets say
 * why. So it does for reads of some samples, because an index does not separate samples; the places of variants are those of all.
 */
export async function findVisibleExample(
  file: StoredFile,
  { regions, samples }: VisiblePart,
): Promise<HtsgetRegion | undefined> {
  if (regions !== 'all') return regions[0];
  const isReads = file.format === 'BAM' || file.format === 'CRAM';
  return isReads && samples !== undefined ? undefined : findExampleRegion(file).catch(() => undefined);
}
