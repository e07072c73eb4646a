import { sequenceCatalogue } from '@htskit/catalogue/folder';
import type { CramReferenceSource } from '@htskit/htsget';
import { createReferenceSource } from '../runtime/service/reference-source.js';

/** The reference bases of CRAM files from local sequences. */
export interface OpenReferences {
  readonly source: CramReferenceSource;
  close(): Promise<void>;
}

/**
 * Opens FASTA and 2bit files, folders of them, and sequence stores as the references of CRAM files, once they are digested. Returns
 * undefined without paths. Throws system errors for a path that does not exist.
 */
export async function openReferences(paths: readonly string[] = []): Promise<OpenReferences | undefined> {
  if (paths.length === 0) return undefined;
  const sequences = await sequenceCatalogue(paths);
  await sequences.settled();
  return { source: createReferenceSource(sequences), close: () => sequences.close() };
}
