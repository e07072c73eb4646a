import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
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

/** Returns whether a regular file begins as Crypt4GH files do. Nothing is read of a pipe, and what opens a missing file reports it. */
async function isCrypt4ghFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile() !== true) return false;
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path, { end: MAGIC.length - 1 })) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('latin1') === MAGIC;
}
