import { readAlignmentColumns } from '../columns/alignment-columns.js';
import { readGenotypes, readVariantColumns } from '../columns/variant-batches.js';
import { openReference } from '../reference/open-reference.js';
import { BgzfRegions } from './bgzf-regions.js';
import { CRAM_RECORDS } from './cram-store.js';
import { HtsgetStore } from './htsget-store.js';
import type { StoredFormat } from './record-store.js';

// Nothing is late in workerd: it compiles WebAssembly, as the decoder of CRAM needs it, only while the first modules are evaluated.

export function loadCram(): Promise<Omit<StoredFormat, 'name'>> {
  return Promise.resolve(CRAM_RECORDS);
}

export function loadBgzfRegions(): Promise<typeof BgzfRegions> {
  return Promise.resolve(BgzfRegions);
}

export function loadHtsgetStore(): Promise<typeof HtsgetStore> {
  return Promise.resolve(HtsgetStore);
}

export function loadAlignmentColumns(): Promise<typeof readAlignmentColumns> {
  return Promise.resolve(readAlignmentColumns);
}

export function loadVariantColumns(): Promise<typeof readVariantColumns> {
  return Promise.resolve(readVariantColumns);
}

export function loadGenotypes(): Promise<typeof readGenotypes> {
  return Promise.resolve(readGenotypes);
}

export function loadInflateAhead(): Promise<undefined> {
  return Promise.resolve(undefined);
}

export function loadReferences(): Promise<typeof openReference> {
  return Promise.resolve(openReference);
}
