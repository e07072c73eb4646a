import { type FileHandle, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { isSystemError } from '@htskit/catalogue/internal';
import type { ResumeState } from '@htskit/client';
import { cannotWrite, followLinks, replaceFile } from '../../files/write-output.js';

/** The content of `OUT.part.json`. */
interface SideFile {
  /** The process that writes or wrote the download. */
  readonly pid: number;
  readonly query: string;
  readonly state?: ResumeState;
}

/**
 * A download in progress: its bytes are in `OUT.part`, beside the output, and `OUT.part.json` holds the state that a later
 * process needs to resume. The saved state covers only bytes that are on disk.
 */
export class PartialFile {
  readonly path: string;
  readonly #target: string;
  readonly #query: string;
  readonly #file: FileHandle;
  #state: ResumeState | undefined;
  #bytes = 0;

  private constructor(target: string, query: string, { file, state }: { file: FileHandle; state?: ResumeState }) {
    this.#target = target;
    this.path = partialPath(target);
    this.#query = query;
    this.#file = file;
    this.#state = state;
  }

  /**
   * Starts the download of an output, or resumes one of the same query. Throws Error if another process writes it, if the
   * partial file was not made by this command, and if it cannot be written.
   */
  static async open(output: string, query: string): Promise<PartialFile> {
    const target = await followLinks(output);
    const path = partialPath(target);
    const side = await readSideFile(path);
    if (side === undefined && (await exists(path))) {
      throw new Error(`${path} exists and was not made by this command: remove it, or choose another output`);
    }
    if (side !== undefined && side.pid !== process.pid && isRunning(side.pid)) {
      throw new Error(`process ${side.pid} is writing ${path}; if that is another program, remove ${path}.json`);
    }
    const state = side?.query === query ? side.state : undefined;
    await writeSideFile(path, { pid: process.pid, query, ...(state && { state }) });
    const file = await withPath(path, () => open(path, 'a+'));
    try {
      const { size } = await file.stat();
      const isUsable = state !== undefined && state.bytes > 0 && state.bytes <= size;
      const partial = new PartialFile(target, query, { file, ...(isUsable && { state }) });
      await partial.rewind();
      return partial;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The state from which a later process resumes, or undefined if it would start over. */
  get state(): ResumeState | undefined {
    return this.#state;
  }

  /** The number of bytes in the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reads the bytes that the state covers. */
  received(): AsyncIterable<Uint8Array> {
    const end = (this.#state?.bytes ?? 0) - 1;
    return this.#file.createReadStream({ start: 0, end, autoClose: false });
  }

  /** Discards the received bytes. */
  async startOver(): Promise<void> {
    this.#state = undefined;
    await writeSideFile(this.path, { pid: process.pid, query: this.#query });
    await this.rewind();
  }

  /** Truncates the file to the bytes that the state covers. */
  async rewind(): Promise<void> {
    this.#bytes = this.#state?.bytes ?? 0;
    await withPath(this.path, () => this.#file.truncate(this.#bytes));
  }

  async write(chunk: Uint8Array): Promise<void> {
    await withPath(this.path, () => this.#file.appendFile(chunk));
    this.#bytes += chunk.length;
  }

  /** Saves a state after its bytes are on disk. A state that covers bytes which were not written is ignored. */
  async save(state: ResumeState): Promise<void> {
    if (state.bytes === 0 || state.bytes > this.#bytes) return;
    await withPath(this.path, () => this.#file.datasync());
    await writeSideFile(this.path, { pid: process.pid, query: this.#query, state });
    this.#state = state;
  }

  /** Renames the file to the output. */
  async finish(): Promise<void> {
    await withPath(this.path, () => this.#file.sync());
    const { size } = await this.#file.stat();
    if (size !== this.#bytes)
      throw new Error(`${this.path} has ${size} bytes, but ${this.#bytes} were written: another program changed it`);
    await withPath(this.#target, () => rename(this.path, this.#target));
    await rm(`${this.path}.json`, { force: true });
  }

  async remove(): Promise<void> {
    await removePartial(this.path);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Removes the partial download of an earlier process. Files of other programs are left alone. */
export async function forgetPartial(output: string): Promise<void> {
  const path = partialPath(await followLinks(output));
  const side = await readSideFile(path);
  if (side !== undefined && (side.pid === process.pid || !isRunning(side.pid))) await removePartial(path);
}

/** Removes the side file last: it identifies the partial file as ours. */
async function removePartial(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.json`, { force: true });
}

function partialPath(target: string): string {
  return `${target}.part`;
}

/** Returns undefined if there is no side file, or one of another program. The client validates the resume state. */
async function readSideFile(path: string): Promise<SideFile | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(`${path}.json`, 'utf8'));
    return isSideFile(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (isSystemError(error) && error.code === 'ENOENT')) return undefined;
    throw error;
  }
}

function isSideFile(value: unknown): value is SideFile {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, query, state } = value as Partial<Record<keyof SideFile, unknown>>;
  if (!Number.isSafeInteger(pid) || typeof query !== 'string') return false;
  if (state === undefined) return true;
  return typeof state === 'object' && state !== null && 'bytes' in state && Number.isSafeInteger(state.bytes);
}

async function writeSideFile(path: string, side: SideFile): Promise<void> {
  await replaceFile(`${path}.json`, new TextEncoder().encode(JSON.stringify(side)));
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only tests whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM';
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Adds the path to the error of a write. */
async function withPath<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw cannotWrite(path, error);
  }
}
