import type { StoredFile } from '@htskit/htsget';
import type { Datatype } from '@htskit/protocol';
import { compareEntries, type ObjectEntry } from './object-kind.js';

/**
 * Finds the files of htsget objects. The functions need no `this`, so that `resolve` can be passed to
 * `createHtsgetHandler` as it is.
 */
export interface ObjectCatalogue {
  /**
   * Returns the files of an object, one per format and in the order BAM, CRAM, VCF, BCF, or undefined if there are none.
   * `id` must be decoded and have no empty, `.` or `..` segment, as the handler ensures.
   */
  readonly resolve: (id: string, datatype: Datatype) => Promise<readonly StoredFile[] | undefined>;
  /** Lists the objects that exist now, each once and ordered by id. A bucket lists the objects of its first 1,000 keys. */
  readonly list: () => Promise<readonly ObjectEntry[]>;
  /** Releases file descriptors. */
  readonly close: () => Promise<void>;
}

/**
 * Combines catalogues. If several have an object of the same id and datatype, the first one wins.
 *
 * @example
 * const { resolve } = joinObjects([await folderObjects('/data'), prefixObjects('archive', bucketObjects({ bucket }))]);
 */
export function joinObjects(catalogues: readonly ObjectCatalogue[]): ObjectCatalogue {
  return {
    async resolve(id, datatype) {
      for (const catalogue of catalogues) {
        const files = await catalogue.resolve(id, datatype);
        if (files !== undefined) return files;
      }
      return undefined;
    },
    async list() {
      const entries = (await Promise.all(catalogues.map((catalogue) => catalogue.list()))).flat();
      const byName = new Map(entries.map((entry) => [`${entry.datatype}/${entry.id}`, entry]));
      return [...byName.values()].sort(compareEntries);
    },
    async close() {
      await Promise.all(catalogues.map((catalogue) => catalogue.close()));
    },
  };
}

/** Returns the objects of a catalogue under ids that begin with `prefix` and a slash. */
export function prefixObjects(prefix: string, catalogue: ObjectCatalogue): ObjectCatalogue {
  return {
    async resolve(id, datatype) {
      return id.startsWith(`${prefix}/`) ? catalogue.resolve(id.slice(prefix.length + 1), datatype) : undefined;
    },
    async list() {
      return (await catalogue.list()).map(({ id, datatype }) => ({ id: `${prefix}/${id}`, datatype }));
    },
    close: catalogue.close,
  };
}
