import type { ByteSource } from '@htskit/io';

export interface FilehandleStat {
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since 1970. Defined for local files. */
  readonly mtimeMs?: number;
  /** When the content, the permissions or the links changed last, in milliseconds since 1970. Defined for local files. */
  readonly ctimeMs?: number;
  /** Inode number. Defined for local files. */
  readonly ino?: number;
}

export interface FilehandleReadOptions {
  readonly signal?: AbortSignal;
}

/** The part of a generic-filehandle2 filehandle that is used: LocalFile, RemoteFile, BlobFile, or your own. */
export interface Filehandle {
  /** Returns up to `length` bytes from the byte `position`. */
  read(length: number, position: number, options?: FilehandleReadOptions): Promise<Uint8Array>;
  stat(): Promise<FilehandleStat>;
}

/** The part of a generic-filehandle 3 filehandle that is used, which reads into a buffer. */
export interface BufferFilehandle {
  /** Reads up to `length` bytes from the byte `position` into `buffer`, from its byte `offset`. */
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
    options?: FilehandleReadOptions,
  ): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<FilehandleStat>;
}

export interface SourceReadFileOptions extends FilehandleReadOptions {
  /** Only UTF-8 is supported. */
  readonly encoding?: string;
}

/** A complete filehandle: the interface `GenericFilehandle` of generic-filehandle2. */
export interface SourceFilehandle {
  /** Returns `length` bytes from the byte `position`, or fewer at the end of the object. */
  read(length: number, position?: number, options?: FilehandleReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns all bytes of one version of the object. */
  readFile(options?: FilehandleReadOptions & { readonly encoding?: undefined }): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the decoded text of one version of the object. Throws RangeError for an encoding other than UTF-8. */
  readFile(options: string | SourceReadFileOptions): Promise<string>;
  stat(): Promise<{ size: number }>;
  /** Closes the source, which can still be used. */
  close(): Promise<void>;
}

/**
 * Returns a source as a filehandle of generic-filehandle2, for libraries that take one. It fails as the source does.
 *
 * @example
 * const bam = new BamFile({ bamFilehandle: toFilehandle(source) });
 */
export function toFilehandle(source: ByteSource): SourceFilehandle {
  const readAll = async (options: FilehandleReadOptions): Promise<Uint8Array<ArrayBuffer>> => {
    const { size, version } = await source.stat(options);
    return toUnshared(await source.read({ start: 0, end: size }, { ...options, version }));
  };
  async function readFile(options?: FilehandleReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  async function readFile(options: string | SourceReadFileOptions): Promise<string>;
  async function readFile(options: string | SourceReadFileOptions = {}): Promise<Uint8Array<ArrayBuffer> | string> {
    const { encoding, ...readOptions } = typeof options === 'string' ? { encoding: options } : options;
    if (encoding === undefined) return readAll(readOptions);
    if (!/^utf-?8$/i.test(encoding)) throw new RangeError(`expected the encoding utf8, found ${encoding}`);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readAll(readOptions));
  }
  return {
    read: async (length, position = 0, options = {}) => {
      const end = Math.min(position + length, Number.MAX_SAFE_INTEGER);
      return toUnshared(await source.read({ start: position, end }, { signal: options.signal }));
    },
    readFile,
    stat: async () => ({ size: (await source.stat()).size }),
    close: async () => source.close?.(),
  };
}

/** Filehandles never return memory that is shared with another thread. */
function toUnshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isUnshared(bytes) ? bytes : bytes.slice();
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
