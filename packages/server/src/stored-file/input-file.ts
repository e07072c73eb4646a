import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Decrypt } from '@htskit/catalogue';
import { type ByteSource, readChunks } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';

/** Returns the function that decrypts with the keys of a command. It is called if a file is encrypted. */
export type OpenIdentity = () => Promise<Decrypt | undefined>;

/** A local file as commands read it: the plaintext, if it is encrypted by Crypt4GH. */
export interface InputFile {
  readonly path: string;
  readonly isEncrypted: boolean;
  /** Opens the file for random access. The caller closes the source. */
  open(): ByteSource;
  /** Reads the file from its start, or no more than some bytes of it. */
  readFromStart(maxBytes?: number): AsyncIterable<Uint8Array>;
}

/** The reason why a command cannot read an encrypted file. */
export const NO_IDENTITY = 'it is encrypted by Crypt4GH; name a secret key with --identity';
/** The first bytes of a Crypt4GH file. */
const MAGIC = 'crypt4gh';
/** Bytes per read. */
const READ_BYTES = 2 ** 20;

/** Opens a file, whatever its name. Throws Error if it is encrypted and there is no key, and the errors of the file system. */
export async function openInput(path: string, openIdentity: OpenIdentity | undefined): Promise<InputFile> {
  if (!(await isCrypt4ghFile(path))) {
    return {
      path,
      isEncrypted: false,
      open: () => fileSource(path),
      readFromStart: (maxBytes = Number.POSITIVE_INFINITY) =>
        createReadStream(path, { highWaterMark: READ_BYTES, end: maxBytes - 1 }),
    };
  }
  const decrypt = await openIdentity?.();
  if (decrypt === undefined) throw new Error(NO_IDENTITY);
  const open = (): ByteSource => decrypt(fileSource(path));
  return {
    path,
    isEncrypted: true,
    open,
    async *readFromStart(maxBytes = Number.MAX_SAFE_INTEGER) {
      const source = open();
      try {
        yield* readChunks(source.stream({ start: 0, end: maxBytes }));
      } finally {
        await source.close?.();
      }
    },
  };
}

/** Returns whether a regular file begins as Crypt4GH files do. Nothing is read of a pipe. */
async function isCrypt4ghFile(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === MAGIC;
  } finally {
    await file.close();
  }
}
