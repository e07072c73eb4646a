import { DeliveryWorkers, type HtsgetOptions } from '@htskit/htsget';
import { MemoryBudget } from '@htskit/io';
import type { BlockCache } from '@htskit/storage/cache';
import { prepareChecksumFolder } from './checksums/checksum-folder.js';
import { ChecksumMaker } from './checksums/checksum-maker.js';
import { prepareCoverageFolder } from './coverage/coverage-folder.js';
import { CoverageMaker } from './coverage/coverage-maker.js';
import { growthLimit } from './gate/load.js';
import type { RoutedHandler } from './request-route.js';
import type { ServerLimits } from './server-limits.js';
import { createHandler, type HandlersOptions, type ProtocolOptions } from './service/handlers.js';
import { type FilesOptions, openFiles, type ServedFiles } from './service/served-files.js';

/** The files and settings of the protocols, for any kind of server. */
export interface ServiceOptions extends Omit<FilesOptions, 'plainDelivery' | 'presignSeconds'>, ProtocolOptions {
  /** Keys for block URLs: the first one signs, all are accepted. Default: a random key, valid until the process ends. */
  readonly signingKeys?: readonly [Uint8Array, ...Uint8Array[]];
  /** The key for block URLs in place of a random one. It is also accepted if there are `signingKeys`. */
  readonly ownKey?: Uint8Array;
  /** The maximum size of the in-memory cache for remote files, in bytes. Default 64 MiB. */
  readonly blockCacheBytes?: number;
  /** The number of threads that filter, rewrite and compress records. Default: one for each processor. */
  readonly workerThreads?: number;
  readonly serverLimits?: { readonly [Key in keyof ServerLimits]?: number } | undefined;
}

/** The parts of a server that its handler calls. */
export interface ServiceHooks extends Pick<HandlersOptions, 'onDrsEvent' | 'publicUrl' | 'report'> {
  readonly onEvent?: HtsgetOptions['onEvent'];
  readonly clientOf?: HtsgetOptions['clientOf'];
}

/** The threads, the makers of derived files and the key of a server, which handlers share: a reload replaces only those. */
export class ServiceResources {
  /** Accepted after a reload too, so that block URLs from before it stay valid. */
  readonly #ownKey: Uint8Array;
  readonly #workers: DeliveryWorkers;
  readonly #coverageMaker: CoverageMaker;
  readonly #checksumMaker: ChecksumMaker;

  constructor({ ownKey, workerThreads, log, drs }: ServiceOptions) {
    this.#ownKey = ownKey ?? crypto.getRandomValues(new Uint8Array(32));
    this.#workers = new DeliveryWorkers({ threads: workerThreads });
    this.#coverageMaker = new CoverageMaker(log);
    this.#checksumMaker = new ChecksumMaker(drs?.cache);
  }

  /** Creates the handler of all paths. Throws RangeError for an invalid public URL. */
  createHandler(
    options: ServiceOptions,
    files: ServedFiles,
    { onEvent, clientOf, ...hooks }: ServiceHooks,
  ): RoutedHandler {
    const [first = this.#ownKey, ...others] = options.signingKeys ?? [];
    const memory = new MemoryBudget(growthLimit(options.serverLimits));
    return createHandler(
      {
        ...options,
        ...hooks,
        htsget: { ...options.htsget, onEvent, workers: this.#workers, memory, clientOf },
        coverageMaker: this.#coverageMaker,
        checksums: this.#checksumMaker.checksums,
        signingKeys: [first, ...others, this.#ownKey],
      },
      files,
    );
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#workers.close(), this.#coverageMaker.close(), this.#checksumMaker.close()]);
  }
}

/** Opens the files, and creates the folders of what is made of them. Presigned URLs last as long as block URLs. */
export async function openServedFiles(options: ServiceOptions, cache: BlockCache): Promise<ServedFiles> {
  const { coverage, coverageFolder, drs = {} } = options;
  if (coverage === 'on' && coverageFolder !== undefined) await prepareCoverageFolder(coverageFolder.path);
  if (drs.enabled !== false && drs.cache !== undefined) await prepareChecksumFolder(drs.cache);
  const { limits, plainDelivery } = options.htsget ?? {};
  return openFiles({ ...options, plainDelivery, presignSeconds: limits?.blockUrlSeconds }, cache);
}
