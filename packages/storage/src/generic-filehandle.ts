export interface FilehandleStat {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970: local files have it. */
  readonly mtimeMs?: number;
  /** Inode number: local files have it. */
  readonly ino?: number;
}

export interface FilehandleReadOptions {
  readonly signal?: AbortSignal;
}

/** What is used of a filehandle of generic-filehandle2: of its LocalFile, RemoteFile, BlobFile, and your own. */
export interface Filehandle {
  /** Up to `length` bytes from the byte `position` on. */
  read(length: number, position: number, options?: FilehandleReadOptions): Promise<Uint8Array>;
  stat(): Promise<FilehandleStat>;
}

/** What is used of a filehandle of generic-filehandle 3, which reads into a buffer. */
export interface BufferFilehandle {
  /** Puts up to `length` bytes from the byte `position` on into `buffer`, from its byte `offset` on. */
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
    options?: FilehandleReadOptions,
  ): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<FilehandleStat>;
}
