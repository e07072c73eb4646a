import type { openInflateAhead } from '../ahead/inflate-ahead.js';
import type { readAlignmentColumns } from '../columns/alignment-columns.js';
import type { readGenotypes, readVariantColumns } from '../columns/variant-batches.js';
import type { openReference } from '../reference/open-reference.js';
import type { BgzfRegions } from './bgzf-regions.js';
import type { HtsgetStore } from './htsget-store.js';
import type { StoredFormat } from './record-store.js';

/** Loads what reads CRAM: its decoder is longer than the rest of the package. */
export async function loadCram(): Promise<Omit<StoredFormat, 'name'>> {
  return (await import('./cram-store.js')).CRAM_RECORDS;
}

/** Loads what reads regions of BGZF files, with the parsers of their indexes. */
export async function loadBgzfRegions(): Promise<typeof BgzfRegions> {
  return (await import('./bgzf-regions.js')).BgzfRegions;
}

/** Loads what reads files of htsget services, with the client. */
export async function loadHtsgetStore(): Promise<typeof HtsgetStore> {
  return (await import('./htsget-store.js')).HtsgetStore;
}

/** Loads what fills columns of alignments. */
export async function loadAlignmentColumns(): Promise<typeof readAlignmentColumns> {
  return (await import('../columns/alignment-columns.js')).readAlignmentColumns;
}

/** Loads what fills columns of variants. */
export async function loadVariantColumns(): Promise<typeof readVariantColumns> {
  return (await import('../columns/variant-batches.js')).readVariantColumns;
}

/** Loads what reads genotypes. */
export async function loadGenotypes(): Promise<typeof readGenotypes> {
  return (await import('../columns/variant-batches.js')).readGenotypes;
}

/** Loads what inflates on workers; undefined in runtimes that have none. */
export async function loadInflateAhead(): Promise<typeof openInflateAhead | undefined> {
  return (await import('../ahead/inflate-ahead.js')).openInflateAhead;
}

/** Loads what reads reference bases, with the client. */
export async function loadReferences(): Promise<typeof openReference> {
  return (await import('../reference/open-reference.js')).openReference;
}
