import type { CramReferenceSource } from '@htskit/formats';
import { mapInOrder } from '@htskit/io/internal';
import type { CramContainer } from '../stored/cram-containers.js';
import type { ContainerSetting } from './record-job.js';
import { countWorkers } from './worker-count.js';
import { WorkerTask } from './worker-task.js';

/** How containers are decoded ahead. */
export interface DecodeAheadOptions {
  readonly setting: ContainerSetting;
  readonly reference: CramReferenceSource | undefined;
  /** The value of the option `workers`. */
  readonly workers: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Compressed bytes of all containers, if that is known. */
  readonly byteLength?: number;
}

/** A container, and its records if a worker has decoded it. */
export interface DecodedContainer {
  readonly container: CramContainer;
  readonly records?: readonly Uint8Array[] | undefined;
}

/** Compressed bytes that take as long to decode as a worker takes to start, 0.1 s. Fewer are decoded by the calling thread. */
const SHORT_BYTES = 2 ** 20;

/** The maximum number of bytes of records in progress, as headers state them, besides one container. */
const BYTES_AHEAD = 2 ** 26;

/**
 * The maximum number of bytes that a container takes while a worker decodes it as a whole. The calling thread decodes longer ones, a
 * slice at a time. Ten thousand short reads take some seven million.
 */
const CONTAINER_BYTES = 2 ** 27;

/** Yields containers in order. Workers decode them ahead if they are known to be long, or once that shows. */
export async function* decodeAhead(
  containers: AsyncGenerator<CramContainer, void>,
  options: DecodeAheadOptions,
): AsyncGenerator<DecodedContainer, void> {
  const task = openTask(options);
  if (task === undefined) {
    for await (const container of containers) yield { container };
    return;
  }
  let bytesRead = 0;
  const run = async (borrowed: CramContainer): Promise<DecodedContainer> => {
    const container = { ...borrowed, blocks: new Uint8Array(borrowed.blocks) };
    bytesRead += container.blocks.length;
    const isLong = (options.byteLength ?? bytesRead) > SHORT_BYTES;
    const isWorthIt = isLong && container.header.landmarks.length > 0;
    return { container, records: isWorthIt ? await task.run(container) : undefined };
  };
  try {
    yield* mapInOrder(containers, { run, ahead: task.ahead, weigh: estimateBytes, maxWeight: BYTES_AHEAD });
  } finally {
    task.close();
  }
}

/** Returns the task of a file; undefined if the calling thread does everything. */
function openTask({ setting, reference, workers, signal }: DecodeAheadOptions): WorkerTask | undefined {
  const count = countWorkers(workers);
  // An account of memory cannot be shared with other threads.
  if (count === 0 || setting.limits?.memory !== undefined) return undefined;
  const containerBytes = Math.min(setting.limits?.containerBytes ?? CONTAINER_BYTES, CONTAINER_BYTES);
  return new WorkerTask({
    setting: { kind: 'decode', setting: { ...setting, limits: { ...setting.limits, containerBytes } } },
    workers: count,
    awaitsStart: true,
    async fetchBases(request) {
      const bases = await reference?.({ ...request, signal });
      // A copy of the bases alone: all memory of a view would be cloned.
      return bases && new Uint8Array(bases);
    },
  });
}

/** Typical bytes of a BAM record besides its bases and qualities. */
const RECORD_BYTES = 150;

function estimateBytes({ header: { recordCount, baseCount } }: CramContainer): number {
  return 1.5 * baseCount + RECORD_BYTES * recordCount;
}
