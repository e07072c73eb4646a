import { fileURLToPath } from 'node:url';
import type { ByteSource } from '@htskit/io';
import { fileSource } from '../file/file-source.node.js';

/** Opens a local file. */
export const pathSource: ((path: string) => ByteSource) | undefined = (path) => fileSource(path);

/** Returns the path of a URL of the scheme `file:`. */
export const pathOfUrl: ((url: URL) => string) | undefined = fileURLToPath;
