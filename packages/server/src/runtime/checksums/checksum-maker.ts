import { isAbsolute } from 'node:path';
import { Worker } from 'node:worker_threads';
import { storedKeyOf } from '@htskit/catalogue/internal';
import { type Checksum, Checksums } from '@htskit/drs';
import { digestInThread } from '@htskit/drs/internal';
import type { ByteSource, SourceStat } from '@htskit/io';
import { type OfferedSource, offerSource } from '../coverage/source-port.js';
import { checksumFolder } from './checksum-folder.js';

/** What is posted to the worker: a version of a local file, or of a source that is elsewhere. */
export interface ChecksumTask {
  readonly input: string | OfferedSource;
  readonly size: number;
  readonly version: string | undefined;
}

/** Resolves to the same file from `src` and from `dist`: tests run the sources, but workers always run the build. */
const SCRIPT = new URL('../../../dist/runtime/checksums/checksum-worker.js', import.meta.url);

/** A file of up to this many bytes is read in this thread: a worker takes longer to start. */
const SHORT_BYTES = 2 ** 22;

/** The checksums of files, which are computed on threads whose priority is low. */
export class ChecksumMaker {
  readonly checksums: Checksums;
  readonly #workers = new Set<Worker>();

  /** With a folder, the checksums are kept in it. */
  constructor(folder?: string) {
    const store = folder === undefined ? undefined : checksumFolder(folder);
    this.checksums = new Checksums({ digest: (data, stat) => this.#digest(data, stat), store });
  }

  /** Ends the work. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  async #digest(data: ByteSource, stat: SourceStat): Promise<readonly Checksum[]> {
    const { size, version } = stat;
    if (size <= SHORT_BYTES) return digestInThread(data, stat);
    const path = storedKeyOf(data) === data.key && isAbsolute(data.key) ? data.key : undefined;
    return this.#work({ input: path ?? (await offerSource(data, version)), size, version });
  }

  async #work(task: ChecksumTask): Promise<readonly Checksum[]> {
    const { input } = task;
    const transferList = typeof input === 'string' ? [] : [input.port];
    const worker = new Worker(SCRIPT, { workerData: task, transferList, execArgv: [] });
    worker.unref();
    this.#workers.add(worker);
    try {
      return await new Promise((resolve, reject) => {
        worker.on('message', resolve);
        worker.on('error', reject);
        worker.on('exit', () => reject(new Error('the worker ended')));
      });
    } finally {
      this.#workers.delete(worker);
    }
  }
}
