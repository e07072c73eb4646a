import type { CramDecoderOptions } from '@htskit/formats';
import { mapInOrder } from '@htskit/io/internal';
import type { CramContainer } from './cram-containers.js';

/** The options of a decoder that all containers of a file share. */
export type ContainerSetting = Pick<CramDecoderOptions, 'header' | 'namePrefix' | 'generateMismatchTags'>;

/** Decodes containers on other threads, several at a time. */
export interface ContainerWorkers {
  /** The maximum number of containers in progress. */
  readonly ahead: number;
  /**
   * Returns the records of a container in pieces, or undefined if it is invalid or large: the calling thread then decodes it slice
   * by slice, or throws the error.
   */
  decode(container: CramContainer, setting: ContainerSetting): Promise<readonly Uint8Array[] | undefined>;
}

/** How the containers of a file are decoded, by workers if there are any. */
export interface DecodeSetting extends ContainerSetting {
  readonly workers?: ContainerWorkers;
}

/** A container, and its records if a worker has decoded it. */
export interface DecodedContainer {
  readonly container: CramContainer;
  readonly records: readonly Uint8Array[] | undefined;
}

/** Yields containers in order, which workers decode ahead if there are any. */
export async function* decodeAhead(
  containers: AsyncGenerator<CramContainer, void>,
  { workers, header, namePrefix, generateMismatchTags }: DecodeSetting,
): AsyncGenerator<DecodedContainer, void> {
  const setting = { header, namePrefix, generateMismatchTags };
  const run = async (container: CramContainer): Promise<DecodedContainer> => ({
    container,
    records: await workers?.decode(container, setting),
  });
  yield* mapInOrder(containers, { run, ahead: workers?.ahead ?? 1 });
}
