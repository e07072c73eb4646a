import type { BamHeader } from '@htskit/formats';
import type { ContainerSetting, CramContainer } from '@htskit/records/internal';
import type { ReferenceSearch } from '../../stored-file/reference-search.js';

/** The data that all jobs of a file share. */
export interface ViewWorkerData {
  readonly header: Pick<BamHeader, 'text' | 'references'>;
  readonly cram?: ContainerSetting;
  readonly reference: ReferenceSearch;
}

/** A container to decode to BAM records, or BAM records to write as SAM text. */
export type ViewJob =
  | { readonly kind: 'decode'; readonly container: CramContainer }
  | { readonly kind: 'text'; readonly records: Uint8Array };
