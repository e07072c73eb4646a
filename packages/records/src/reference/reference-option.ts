import type { CramReferenceSource } from '@htskit/formats';
import { loadReferences } from '#lazy-formats';

/**
 * The origin of the reference bases of CRAM: the path or URL of a FASTA or 2bit file, the URL of a refget server, the folder of a
 * sequence store, or a function that returns them.
 */
export type ReferenceOption = string | URL | CramReferenceSource;

/** Returns the source of the bases. A location is opened when the first bases are needed. */
export function toReferenceSource(reference: ReferenceOption | undefined): CramReferenceSource | undefined {
  if (reference === undefined || typeof reference === 'function') return reference;
  let opening: Promise<CramReferenceSource> | undefined;
  const open = async (): Promise<CramReferenceSource> => (await loadReferences())(reference);
  return async (request) => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return (await opening)(request);
  };
}
