import { fileURLToPath } from 'node:url';
import type { ByteSource, ObjectStore } from '@htskit/io';
import { fileSource } from '../file/file-source.node.js';
import { folderStore } from '../file/folder-store.node.js';

/** Opens a local file. */
export const pathSource: ((path: string) => ByteSource) | undefined = (path) => fileSource(path);

/** Returns the path of a URL of the scheme `file:`. */
export const pathOfUrl: ((url: URL) => string) | undefined = fileURLToPath;

/** Returns the store of the files in a local folder. */
export const folderObjects: ((path: string) => ObjectStore) | undefined = (path) => folderStore(path);
