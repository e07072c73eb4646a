import type { openInflateAhead } from '../ahead/inflate-ahead.js';
import type { openReference } from '../reference/open-reference.js';
import type { HtsgetStore } from './htsget-store.js';
import type { StoredFormat } from './record-store.js';

/** Loads what reads CRAM: its decoder is longer than the rest of the package. */
export async function loadCram(): Promise<Omit<StoredFormat, 'name'>> {
  return (await import('./cram-store.js')).CRAM_RECORDS;
}

/** Loads what reads files of htsget services, with the client. */
export async function loadHtsgetStore(): Promise<typeof HtsgetStore> {
  return (await import('./htsget-store.js')).HtsgetStore;
}

/** Loads what inflates on workers; undefined in runtimes that have none. */
export async function loadInflateAhead(): Promise<typeof openInflateAhead | undefined> {
  return (await import('../ahead/inflate-ahead.js')).openInflateAhead;
}

/** Loads what reads reference bases, with the client. */
export async function loadReferences(): Promise<typeof openReference> {
  return (await import('../reference/open-reference.js')).openReference;
}
