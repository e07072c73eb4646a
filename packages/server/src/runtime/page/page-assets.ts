import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The folder of the built page, of the sources and of the package alike. */
const FOLDER = fileURLToPath(new URL('../../../dist/page/', import.meta.url));

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** A file of the page. */
export interface PageAsset {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** The bytes compressed by gzip, once for all requests. */
  readonly gzipped: () => Promise<Uint8Array>;
}

/** The files of the built page. Each is read when it is first requested. */
export class PageAssets {
  readonly #folder: string;
  /** The files that exist, so that no other path is ever read. */
  readonly #names: Promise<ReadonlySet<string>>;
  readonly #assets = new Map<string, Promise<PageAsset>>();

  constructor(folder: string = FOLDER) {
    this.#folder = folder;
    // A checkout that was only compiled has no page.
    this.#names = readdir(folder, { recursive: true }).then(
      (names) => new Set(names.map((name) => name.replaceAll('\\', '/'))),
      () => new Set(),
    );
  }

  /** Returns the file with a name such as `page/main-1a2b.js`, or undefined if there is none. */
  async find(name: string): Promise<PageAsset | undefined> {
    const mediaType = MEDIA_TYPES[extname(name)];
    if (mediaType === undefined || !(await this.#names).has(name)) return undefined;
    const known = this.#assets.get(name);
    if (known !== undefined) return known;
    const read = readAsset(`${this.#folder}/${name}`, mediaType);
    this.#assets.set(name, read);
    // A file that could not be read may be read later.
    read.catch(() => this.#assets.delete(name));
    return read;
  }
}

const compress = promisify(gzip);

async function readAsset(path: string, mediaType: string): Promise<PageAsset> {
  const bytes = await readFile(path);
  let gzipped: Promise<Uint8Array> | undefined;
  return {
    mediaType,
    bytes,
    gzipped: () => {
      gzipped ??= compress(bytes);
      return gzipped;
    },
  };
}
