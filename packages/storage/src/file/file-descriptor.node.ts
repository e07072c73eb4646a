import { Buffer } from 'node:buffer';
import {
  type BigIntStats,
  close,
  fstat,
  fstatSync,
  lstat,
  lstatSync,
  open,
  openSync,
  read,
  readSync,
  realpath,
  realpathSync,
  type Stats,
  stat,
  statSync,
} from 'node:fs';
import { promisify } from 'node:util';

type Awaitable<T> = T | Promise<T>;

/** The system calls of a file source: either blocking, or through Node's thread pool. */
export interface FileCalls {
  stat(path: string): Awaitable<BigIntStats>;
  /** Does not follow a link. Returns undefined if nothing is at the path: an error costs ten times as much. */
  lstat(path: string): Awaitable<Stats | undefined>;
  /** Resolves the symbolic links of a path. */
  realpath(path: string): Awaitable<string>;
  open(path: string): Awaitable<number>;
  fstat(fd: number): Awaitable<BigIntStats>;
  /** Reads into `target` from its byte `offset`, starting at the file's byte `position`. Returns the number of bytes. */
  read(fd: number, target: Uint8Array, offset: number, position: number): Awaitable<number>;
}

/** Blocking system calls. */
export interface BlockingCalls extends FileCalls {
  stat(path: string): BigIntStats;
  lstat(path: string): Stats | undefined;
  realpath(path: string): string;
  open(path: string): number;
  read(fd: number, target: Uint8Array, offset: number, position: number): number;
}

/** Node reads at most 2^31 - 1 bytes in one call. */
const MAX_CALL_BYTES = 2 ** 30;

/** Allocates bytes that the caller overwrites. Not zeroing them streams 2.5 instead of 1.7 GB/s from the page cache. */
export function allocateUnset(byteLength: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(byteLength).buffer);
}

export const blockingCalls: BlockingCalls = {
  stat: (path) => statSync(path, { bigint: true }),
  lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
  realpath: (path) => realpathSync.native(path),
  open: (path) => openSync(path, 'r'),
  fstat: (fd) => fstatSync(fd, { bigint: true }),
  read: (fd, target, offset, position) =>
    readSync(fd, target, offset, Math.min(target.length - offset, MAX_CALL_BYTES), position),
};

const statAsync = promisify(stat);
const lstatAsync = promisify(lstat);
const realpathAsync = promisify(realpath.native);
const openAsync = promisify(open);
const fstatAsync = promisify(fstat);
const readAsync = promisify(read);

export const threadedCalls: FileCalls = {
  stat: (path) => statAsync(path, { bigint: true }),
  lstat: async (path) => {
    try {
      return await lstatAsync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  },
  realpath: (path) => realpathAsync(path),
  open: (path) => openAsync(path, 'r'),
  fstat: (fd) => fstatAsync(fd, { bigint: true }),
  read: async (fd, target, offset, position) => {
    const length = Math.min(target.length - offset, MAX_CALL_BYTES);
    const { bytesRead } = await readAsync(fd, target, offset, length, position);
    return bytesRead;
  },
};

/**
 * The state of a file. `version` differs whenever size, content, permissions, owner or links differ, as far as the file system
 * records changes.
 */
export interface FileState {
  readonly size: number;
  readonly version: string;
  /** When the content was written last, in nanoseconds since 1970. */
  readonly modifiedAt: bigint;
}

/** An open descriptor, shared by the reads and streams that use it. Its opener is the first user. */
export class FileDescriptor {
  readonly fd: number;
  readonly state: FileState;
  #userCount = 1;
  #isRetired = false;

  constructor(fd: number, state: FileState) {
    this.fd = fd;
    this.state = state;
  }

  get isIdle(): boolean {
    return this.#userCount === 0;
  }

  acquire(): void {
    this.#userCount++;
  }

  release(): void {
    this.#userCount--;
    if (this.#isRetired && this.isIdle) void closeDescriptor(this.fd);
  }

  /** Closes the descriptor once its last user releases it. It must not be acquired again. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    if (this.isIdle) await closeDescriptor(this.fd);
  }
}

/** Closes a descriptor that was only read from. A failure has no consequence and is ignored. */
export function closeDescriptor(fd: number): Promise<void> {
  return new Promise((resolve) => {
    close(fd, () => resolve());
  });
}
