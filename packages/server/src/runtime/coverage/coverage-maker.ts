import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { type ByteSource, LruCache } from '@htskit/io';
import { describeError } from '../../errors.js';
import { type CoverageFolder, pruneCoverageFolder } from './coverage-folder.js';
import { type OfferedSource, offerSource } from './source-port.js';

/** A file whose depth is computed, and the bigWig file that is written. */
export interface CoverageJob {
  /** The path of a local file, or a source that is elsewhere. */
  readonly input: string | ByteSource;
  readonly output: string;
  /** The folder of the output, if its size is limited. */
  readonly folder?: CoverageFolder;
}

/** What is posted to the worker. */
export interface CoverageTask {
  readonly input: string | OfferedSource;
  readonly output: string;
}

/** Resolves to the same file from `src` and from `dist`: tests run the sources, but workers always run the build. */
const SCRIPT = new URL('../../../dist/runtime/coverage/coverage-worker.js', import.meta.url);

/** Files that wait. Further ones are made when they are requested again. */
const MAX_WAITING = 1000;
const MAX_HEAP_MEGABYTES = 512;
/** Files whose versions are known, which were or are being made. */
const MAX_KNOWN = 10_000;
/** A claim that was not renewed for as long is that of a process that has ended. */
const STALE_MILLISECONDS = 300_000;
const RENEWAL_MILLISECONDS = 60_000;

/**
 * Makes bigWig files in the background, one at a time, on a thread whose priority is low. Several processes share the work: a file
 * beside the output claims it. A file that fails is tried again when it has changed.
 */
export class CoverageMaker {
  readonly #log: (message: string) => void;
  /** By output, the version of the file that was or is being made. */
  readonly #versions = new LruCache<string>({ maxWeight: MAX_KNOWN });
  readonly #waiting: VersionedJob[] = [];
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  /** Makes the bigWig of a version of a file, unless that has begun. */
  request(job: CoverageJob, version: string): void {
    if (this.#isClosed || this.#versions.get(job.output) === version || this.#waiting.length >= MAX_WAITING) return;
    this.#versions.set(job.output, version);
    this.#waiting.push({ ...job, version });
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Ends the work. What is half done is dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.#worker?.postMessage('end');
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      try {
        // Another process that makes it may fail: a later request tries again.
        if (!(await this.#make(job))) this.#versions.delete(job.output);
      } catch (error) {
        if (!this.#isClosed) this.#log(`the depth of ${nameOf(job)} could not be computed: ${describeError(error)}`);
      }
    }
  }

  /** Returns false if another process makes the file. */
  async #make(job: VersionedJob): Promise<boolean> {
    const claim = `${job.output}.claim`;
    if (!(await tryClaim(claim))) return false;
    const renewal = setInterval(() => {
      utimes(claim, new Date(), new Date()).catch(() => undefined);
    }, RENEWAL_MILLISECONDS);
    renewal.unref();
    try {
      await this.#work(job);
      if (job.folder !== undefined) await pruneCoverageFolder(job.folder);
    } finally {
      clearInterval(renewal);
      await rm(claim, { force: true });
    }
    return true;
  }

  async #work({ input, output, version }: VersionedJob): Promise<void> {
    const task: CoverageTask = { input: typeof input === 'string' ? input : await offerSource(input, version), output };
    // It may have been closed while the claim was written.
    if (this.#isClosed) return;
    const worker = new Worker(SCRIPT, {
      workerData: task,
      transferList: typeof task.input === 'string' ? [] : [task.input.port],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
    });
    this.#worker = worker;
    await new Promise<void>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('the worker ended'))));
    });
  }
}

interface VersionedJob extends CoverageJob {
  readonly version: string;
}

/** Returns the path of the file, or its URL without the query, which may be a signature. */
function nameOf({ input }: CoverageJob): string {
  return typeof input === 'string' ? input : input.key.replace(/\?.*$/s, '');
}

/** Creates a file that other processes see. Returns false if there is one that is in use. */
async function tryClaim(path: string): Promise<boolean> {
  const create = (): Promise<boolean> =>
    writeFile(path, String(process.pid), { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
  if (await create()) return true;
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs < STALE_MILLISECONDS) return false;
  await rm(path, { force: true });
  return create();
}
