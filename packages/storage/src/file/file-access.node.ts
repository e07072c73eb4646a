import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BlockingCalls, blockingCalls, type FileCalls, threadedCalls } from './file-descriptor.node.js';

/**
 * Whether short system calls block the thread: always, never, or unless the files are on a remote file system or turn out to be
 * slow.
 */
export type Blocking = boolean | 'auto';

export interface FileAccessOptions {
  /** Default `auto`. */
  readonly blocking?: Blocking;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
  /** Returns the type of the file system of a path, as `statfs` of Linux does. */
  readonly readType?: (path: string) => Promise<number>;
}

/** Types of file systems whose calls wait for a network or another process (Linux, statfs(2) and the headers of each). */
const REMOTE_TYPES: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x0bd00bd0, // Lustre
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x65735546, // FUSE
  0x00c36400, // Ceph
  0x47504653, // GPFS
  0x19830326, // BeeGFS
  0xaad7aaea, // PanFS
  0x5346414f, // AFS
  0x73757245, // Coda
  0x01021997, // 9P
  0x7461636f, // OCFS2
  0x01161970, // GFS2
]);

/** A stat of a cached local file takes about 2 µs. One that takes longer than this waits for a disk, a network or a processor. */
const SLOW_MILLISECONDS = 5;

/**
 * This number of slow calls within this number of calls in a row indicates a slow file system. A thread that a busy machine takes
 * off its processor during a call has single ones: with 1,000 clients about two in a thousand, which once cost a third of the
 * tickets per second.
 */
const SLOW_CALLS = 3;
const SLOW_AMONG = 10;

/**
 * Chooses the system calls for the files below a path. Blocking calls are much faster for cached files, but a call that waits
 * for a network stalls every other request. With `auto`, no call blocks until the type of the file system is known; none does
 * again after three of ten lookups in a row took over 5 ms.
 *
 * @example
 * const source = fileSource('/nfs/reads.bam', { access: new FileAccess('/nfs', { blocking: false }) });
 */
export class FileAccess {
  readonly #path: string;
  readonly #now: () => number;
  readonly #readType: (path: string) => Promise<number>;
  readonly #timedCalls: BlockingCalls = {
    ...blockingCalls,
    stat: (path) => this.#time(() => blockingCalls.stat(path)),
    lstat: (path) => this.#time(() => blockingCalls.lstat(path)),
    open: (path) => this.#time(() => blockingCalls.open(path)),
    realpath: (path) => this.#time(() => blockingCalls.realpath(path)),
  };
  /** Undefined until the type of the file system is known. */
  #isBlocking: boolean | undefined;
  readonly #isAutomatic: boolean;
  #isReading = false;
  #callCount = 0;
  /** The numbers of the last slow calls, oldest first. */
  readonly #slowCalls: number[] = [];

  constructor(path: string, { blocking = 'auto', now, readType = readLinuxType }: FileAccessOptions = {}) {
    this.#path = path;
    this.#now = now ?? ((): number => performance.now());
    this.#readType = readType;
    this.#isAutomatic = blocking === 'auto';
    this.#isBlocking = blocking === 'auto' ? undefined : blocking;
  }

  /** The blocking calls, if calls may block now. */
  get blockingCalls(): BlockingCalls | undefined {
    if (this.#isBlocking === undefined) void this.#readFileSystem();
    if (this.#isBlocking !== true) return undefined;
    return this.#isAutomatic ? this.#timedCalls : blockingCalls;
  }

  /** The blocking calls, if calls may block now, and otherwise those of Node's thread pool. */
  get calls(): FileCalls {
    return this.blockingCalls ?? threadedCalls;
  }

  async #readFileSystem(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      // A file that does not exist yet will be in its folder.
      const type = await this.#readType(this.#path).catch(() => this.#readType(dirname(this.#path)));
      this.#isBlocking ??= !REMOTE_TYPES.has(type >>> 0);
    } catch {
      // The next call tries again.
    } finally {
      this.#isReading = false;
    }
  }

  #time<Result>(call: () => Result): Result {
    const started = this.#now();
    try {
      return call();
    } finally {
      this.#callCount++;
      if (this.#now() - started > SLOW_MILLISECONDS) this.#countSlow();
    }
  }

  #countSlow(): void {
    const slow = this.#slowCalls;
    slow.push(this.#callCount);
    if (slow.length > SLOW_CALLS) slow.shift();
    const [first = 0] = slow;
    if (slow.length === SLOW_CALLS && this.#callCount - first < SLOW_AMONG) this.#isBlocking = false;
  }
}

/** Other systems number their file systems differently: there, only slow calls count. */
async function readLinuxType(path: string): Promise<number> {
  const { type } = await statfs(path);
  return process.platform === 'linux' ? type : 0;
}
