import type { ByteSource, ObjectStore } from '@htskit/io';

/** Opens a local file; undefined in runtimes other than Node, Bun and Deno, which have no files. */
export const pathSource: ((path: string) => ByteSource) | undefined = undefined;

/** Returns the path of a URL of the scheme `file:`. */
export const pathOfUrl: ((url: URL) => string) | undefined = undefined;

/** Returns the store of the files in a local folder. */
export const folderObjects: ((path: string) => ObjectStore) | undefined = undefined;
