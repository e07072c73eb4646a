import { close } from 'node:fs';

/** A file's state: `version` differs wherever size or content do, as far as the file system notes modifications. */
export interface FileState {
  readonly size: number;
  readonly version: string;
}

/** An open descriptor that is shared by the reads and streams that use it; the first user is who opened it. */
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

  /** Closes it as soon as nobody uses it. Nobody may acquire it from now on. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    if (this.isIdle) await closeDescriptor(this.fd);
  }
}

/** Closes a descriptor that was only read from, where a failure means nothing. */
export function closeDescriptor(fd: number): Promise<void> {
  return new Promise((resolve) => {
    close(fd, () => resolve());
  });
}
