import type { ByteSource } from '@htskit/io';
import type { FilehandleReadOptions } from './generic-filehandle.js';

export interface ReadFileOptions extends FilehandleReadOptions {
  /** UTF-8 is the only one. */
  readonly encoding?: string;
}

/** A whole filehandle, as the interface `GenericFilehandle` of generic-filehandle2 wants it. */
export interface SourceFilehandle {
  /** Up to `length` bytes from the byte `position` on; fewer only at the object's end. */
  read(length: number, position?: number, options?: FilehandleReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** All bytes of one version of the object. */
  readFile(options?: FilehandleReadOptions & { readonly encoding?: undefined }): Promise<Uint8Array<ArrayBuffer>>;
  /** All bytes of one version of the object, decoded. Throws RangeError for an encoding other than UTF-8. */
  readFile(options: string | ReadFileOptions): Promise<string>;
  stat(): Promise<{ size: number }>;
  /** Closes the source, which can still be used. */
  close(): Promise<void>;
}

/** The source as a filehandle of generic-filehandle2, for libraries that take one. It fails as the source does. */
export function toFilehandle(source: ByteSource): SourceFilehandle {
  const readAll = async (options: FilehandleReadOptions): Promise<Uint8Array<ArrayBuffer>> => {
    const { size, version } = await source.stat(options);
    return toUnshared(await source.read({ start: 0, end: size }, { ...options, version }));
  };
  async function readFile(options?: FilehandleReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  async function readFile(options: string | ReadFileOptions): Promise<string>;
  async function readFile(options: string | ReadFileOptions = {}): Promise<Uint8Array<ArrayBuffer> | string> {
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

/** What filehandles give is never shared with another thread. */
function toUnshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isUnshared(bytes) ? bytes : bytes.slice();
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
