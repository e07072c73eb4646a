import type { BamHeader, CramDecoderOptions, CramReferenceRequest } from '@htskit/formats';
import type { CramContainer } from '../stored/cram-containers.js';

/** The options of a decoder that all containers of a file share. */
export type ContainerSetting = Pick<CramDecoderOptions, 'header' | 'namePrefix' | 'generateMismatchTags' | 'limits'>;

/** What the jobs of a task have in common: containers are decoded to BAM records, or BAM records are written as SAM text. */
export type TaskSetting =
  | { readonly kind: 'decode'; readonly setting: ContainerSetting }
  | { readonly kind: 'text'; readonly header: Pick<BamHeader, 'text' | 'references'> };

/** A container to decode, or BAM records to write as text. */
export type TaskInput = CramContainer | Uint8Array;

/** A job of a task. */
export interface RecordJob {
  readonly task: number;
  /** Sent with the first job of the task to a worker, which keeps it. */
  readonly setting?: TaskSetting;
  /** Without an input, the worker forgets the task. */
  readonly input?: TaskInput;
}

/** Reference bases that a worker asks the calling thread for. */
export type BaseRequest = Omit<CramReferenceRequest, 'signal'>;
