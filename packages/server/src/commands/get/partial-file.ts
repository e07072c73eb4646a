import { type FileHandle, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { isSystemError } from '@htskit/catalogue/internal';
import type { ResumeState } from '@htskit/client';
import { cannotWrite, followLinks, replaceFile } from '../../files/replace-file.js';

/** What lies in the side file. */
interface SideFile {
  /** The process that writes, or wrote. */
  readonly pid: number;
  readonly question: string;
  readonly state?: ResumeState;
}

/**
 * A download that is under way: its bytes in `OUT.part`, beside the output, and in `OUT.part.json` what a later process
 * needs to go on. The state there is always one of bytes that are on the disk.
 */
export class PartialFile {
  readonly path: string;
  readonly #target: string;
  readonly #question: string;
  readonly #file: FileHandle;
  #state: ResumeState | undefined;
  #bytes = 0;

  private constructor(target: string, question: string, { file, state }: { file: FileHandle; state?: ResumeState }) {
    this.#target = target;
    this.path = partialPath(target);
    this.#question = question;
    this.#file = file;
    this.#state = state;
  }

  /**
   * Begins the download of an output, or goes on with one that was begun for the same question. Throws Error where another
   * process does, where the file was begun by something else, and where it cannot be written.
   */
  static async open(output: string, question: string): Promise<PartialFile> {
    const target = await followLinks(output);
    const path = partialPath(target);
    const side = await readSideFile(path);
    if (side === undefined && (await isThere(path))) {
      throw new Error(`${path} is there, and was not begun by this command: remove it, or write to another file`);
    }
    if (side !== undefined && side.pid !== process.pid && isRunning(side.pid)) {
      throw new Error(`process ${side.pid} is writing ${path}; where it is another program, remove ${path}.json`);
    }
    const state = side?.question === question ? side.state : undefined;
    await writeSideFile(path, { pid: process.pid, question, ...(state && { state }) });
    const file = await writing(path, () => open(path, 'a+'));
    try {
      const { size } = await file.stat();
      const isUsable = state !== undefined && state.bytes > 0 && state.bytes <= size;
      const partial = new PartialFile(target, question, { file, ...(isUsable && { state }) });
      await partial.rewind();
      return partial;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** What is known of the bytes that a later process goes on from; undefined where it would start over. */
  get state(): ResumeState | undefined {
    return this.#state;
  }

  /** Bytes in the file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bytes of the state. */
  received(): AsyncIterable<Uint8Array> {
    const end = (this.#state?.bytes ?? 0) - 1;
    return this.#file.createReadStream({ start: 0, end, autoClose: false });
  }

  /** Forgets what was received. */
  async startOver(): Promise<void> {
    this.#state = undefined;
    await writeSideFile(this.path, { pid: process.pid, question: this.#question });
    await this.rewind();
  }

  /** Cuts the file to the bytes of the state. */
  async rewind(): Promise<void> {
    this.#bytes = this.#state?.bytes ?? 0;
    await writing(this.path, () => this.#file.truncate(this.#bytes));
  }

  async write(chunk: Uint8Array): Promise<void> {
    await writing(this.path, () => this.#file.appendFile(chunk));
    this.#bytes += chunk.length;
  }

  /** Stores a state, once its bytes are on the disk. One of bytes that were not written is left out. */
  async save(state: ResumeState): Promise<void> {
    if (state.bytes === 0 || state.bytes > this.#bytes) return;
    await writing(this.path, () => this.#file.datasync());
    await writeSideFile(this.path, { pid: process.pid, question: this.#question, state });
    this.#state = state;
  }

  /** Makes the file the output. */
  async finish(): Promise<void> {
    await writing(this.path, () => this.#file.sync());
    const { size } = await this.#file.stat();
    if (size !== this.#bytes) throw new Error(`${this.path} has ${size} bytes, ${this.#bytes} were written`);
    await writing(this.#target, () => rename(this.path, this.#target));
    await rm(`${this.path}.json`, { force: true });
  }

  async remove(): Promise<void> {
    await removePartial(this.path);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Removes what an earlier process left of an output. What another program wrote stays. */
export async function forgetPartial(output: string): Promise<void> {
  const path = partialPath(await followLinks(output));
  const side = await readSideFile(path);
  if (side !== undefined && (side.pid === process.pid || !isRunning(side.pid))) await removePartial(path);
}

/** The side file last: without it, nobody would know whose the other one is. */
async function removePartial(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.json`, { force: true });
}

function partialPath(target: string): string {
  return `${target}.part`;
}

/** Undefined where there is none, or none that was written here. What it says of the download is for the client to check. */
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
  const { pid, question, state } = value as Partial<Record<keyof SideFile, unknown>>;
  if (!Number.isSafeInteger(pid) || typeof question !== 'string') return false;
  if (state === undefined) return true;
  return typeof state === 'object' && state !== null && 'bytes' in state && Number.isSafeInteger(state.bytes);
}

async function writeSideFile(path: string, side: SideFile): Promise<void> {
  await replaceFile(`${path}.json`, new TextEncoder().encode(JSON.stringify(side)));
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error) && error.code === 'EPERM';
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Names the file where it cannot be written. */
async function writing<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw cannotWrite(path, error);
  }
}
