import { createMd5 } from '@htskit/digest';
import { createSha256 } from '@htskit/digest/internal';
import {
  type ByteSource,
  type ClockOptions,
  LruCache,
  readChunks,
  type SourceStat,
  StorageError,
  systemClock,
  toHex,
} from '@htskit/io';
import { yieldToEventLoop } from '@htskit/io/internal';
import type { Checksum, DrsFile } from '../drs-object.js';

/** Keeps checksums beyond the life of the process. Failures of either function are ignored. */
export interface ChecksumStore {
  /** The key identifies a version of a file. */
  load(key: string): Promise<readonly Checksum[] | undefined>;
  save(key: string, checksums: readonly Checksum[]): Promise<void>;
}

export interface ChecksumsOptions extends Pick<ClockOptions, 'sleep'> {
  /** Computes the checksums of a version of a file. Default: in this thread. */
  readonly digest?: ((data: ByteSource, stat: SourceStat) => Promise<readonly Checksum[]>) | undefined;
  /** Default: checksums are kept in memory only. */
  readonly store?: ChecksumStore | undefined;
  /** The number of files of more than 4 MiB that are read at once. Default 1. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for which a request waits for checksums that are being computed. Default 1000. */
  readonly waitMilliseconds?: number | undefined;
}

/** Versions of files whose checksums are in memory, about 300 bytes each. */
const KNOWN_VERSIONS = 10_000;
/** Files that wait. Further ones are computed when they are requested again. */
const MAX_WAITING = 1000;
/** Files of up to this many bytes, such as indexes, do not wait for longer ones, which may take minutes. */
const SHORT_BYTES = 2 ** 22;
/** The number of short files that are read at once. */
const SHORT_CONCURRENCY = 4;
/** A file that could not be read is tried again after this time. */
const FAILURE_MILLISECONDS = 60_000;

interface Job {
  readonly key: string;
  readonly file: DrsFile;
  readonly stat: SourceStat;
  readonly finished: Promise<void>;
  readonly finish: () => void;
}

/** Files of similar lengths, which are read in turn. */
interface Lane {
  readonly waiting: Job[];
  running: number;
  readonly concurrency: number;
}

/**
 * The checksums of files, which are computed once for each version, in the background and a few at a time. A checksum is that of the
 * version that it is requested for: a file that changes while it is read fails, and is computed anew.
 */
export class Checksums {
  readonly #options: ChecksumsOptions;
  readonly #known = new LruCache<readonly Checksum[]>({ maxWeight: KNOWN_VERSIONS });
  readonly #failures = new LruCache<{ readonly error: unknown }>({
    maxWeight: MAX_WAITING,
    ttlMilliseconds: FAILURE_MILLISECONDS,
  });
  /** The files that wait or are being read, by the keys of their versions. */
  readonly #jobs = new Map<string, Job>();
  readonly #short: Lane;
  readonly #long: Lane;

  constructor(options: ChecksumsOptions = {}) {
    this.#options = options;
    this.#short = { waiting: [], running: 0, concurrency: SHORT_CONCURRENCY };
    this.#long = { waiting: [], running: 0, concurrency: options.concurrency ?? 1 };
  }

  /**
   * Returns the checksums of a version of a file, or undefined if they are still being computed. Throws what reading the file throws,
   * and `StorageError` if its store reports no version, so that no checksum can be known to be current.
   */
  async find(file: DrsFile, stat: SourceStat, signal?: AbortSignal): Promise<readonly Checksum[] | undefined> {
    const version = versionOf(stat);
    if (version === undefined) {
      throw new StorageError('UNAVAILABLE', 'the store reports neither a version nor a time of the file', {
        key: file.data.key,
      });
    }
    const key = `${file.identity ?? file.data.key}\n${version}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const job = this.#jobs.get(key) ?? this.#add(key, file, stat);
    if (job !== undefined) await this.#wait(job, signal);
    const failure = this.#failures.get(key);
    if (failure !== undefined) throw failure.error;
    return this.#known.get(key);
  }

  #add(key: string, file: DrsFile, stat: SourceStat): Job | undefined {
    const lane = stat.size <= SHORT_BYTES ? this.#short : this.#long;
    if (this.#failures.get(key) !== undefined || lane.waiting.length >= MAX_WAITING) return undefined;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const job = { key, file, stat, finished, finish };
    this.#jobs.set(key, job);
    lane.waiting.push(job);
    this.#start(lane);
    return job;
  }

  async #wait({ finished }: Job, signal: AbortSignal | undefined): Promise<void> {
    const { sleep = systemClock.sleep, waitMilliseconds = 1000 } = this.#options;
    const stop = new AbortController();
    const signals = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
    await Promise.race([finished, sleep(waitMilliseconds, signals)]);
    stop.abort('finished');
  }

  #start(lane: Lane): void {
    while (lane.running < lane.concurrency) {
      const job = lane.waiting.shift();
      if (job === undefined) return;
      lane.running++;
      void this.#run(job).finally(() => {
        lane.running--;
        this.#jobs.delete(job.key);
        job.finish();
        this.#start(lane);
      });
    }
  }

  async #run({ key, file: { data, isSecret }, stat }: Job): Promise<void> {
    const { digest = digestInThread } = this.#options;
    const store = isSecret === true ? undefined : this.#options.store;
    try {
      const stored = await store?.load(key).catch(() => undefined);
      const checksums = stored ?? (await digest(data, stat));
      if (versionOf(await data.stat()) !== versionOf(stat)) {
        throw new StorageError('CHANGED', 'the file was replaced while it was read', { key: data.key });
      }
      this.#known.set(key, checksums);
      if (stored === undefined) await store?.save(key, checksums).catch(() => undefined);
    } catch (error) {
      // A file that is replaced has another key.
      this.#failures.set(key, { error });
    }
  }
}

/** Returns what distinguishes two states of a file, or undefined if its store does not report it. */
export function versionOf({ version, size, modifiedAt }: SourceStat): string | undefined {
  return version ?? (modifiedAt === undefined ? undefined : `${size}-${modifiedAt}`);
}

/** Reads a version of a file and returns its checksums. */
export async function digestInThread(data: ByteSource, { size, version }: SourceStat): Promise<readonly Checksum[]> {
  const hashes = { 'sha-256': createSha256(), md5: createMd5() };
  for await (const chunk of readChunks(data.stream({ start: 0, end: size }, { version, isBorrowed: true }))) {
    hashes['sha-256'].update(chunk);
    hashes.md5.update(chunk);
    await yieldToEventLoop();
  }
  return [
    { type: 'sha-256', checksum: toHex(hashes['sha-256'].digest()) },
    { type: 'md5', checksum: toHex(hashes.md5.digest()) },
  ];
}
