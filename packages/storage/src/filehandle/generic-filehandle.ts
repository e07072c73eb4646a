export interface FilehandleStat {
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since 1970. Defined for local files. */
  readonly mtimeMs?: number;
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
