import type { StoredFile } from '@htskit/htsget';
import type { Datatype } from '@htskit/protocol';
import { compareEntries, type ObjectEntry } from './object-kind.js';

/** Finds the files of htsget objects. */
export interface ObjectFinder {
  /** The files of an object, in the order of their formats; undefined if there are none. Each format is there once. */
  resolve(id: string, datatype: Datatype): Promise<readonly StoredFile[] | undefined>;
  /** The objects that are there now, or the first ones of many, each once, by id. */
  list(): Promise<readonly ObjectEntry[]>;
  /** Frees what is held between reads. */
  close(): Promise<void>;
}

/** The objects of several finders; of two with the same id and datatype, that of the first. */
export function joinFinders(finders: readonly ObjectFinder[]): ObjectFinder {
  return {
    async resolve(id, datatype) {
      for (const finder of finders) {
        const files = await finder.resolve(id, datatype);
        if (files !== undefined) return files;
      }
      return undefined;
    },
    async list() {
      const entries = (await Promise.all(finders.map((finder) => finder.list()))).flat();
      const byName = new Map(entries.map((entry) => [`${entry.datatype}/${entry.id}`, entry]));
      return [...byName.values()].sort(compareEntries);
    },
    async close() {
      await Promise.all(finders.map((finder) => finder.close()));
    },
  };
}

/** The objects of a finder under ids that begin with a prefix and a slash. */
export function withPrefix(prefix: string, finder: ObjectFinder): ObjectFinder {
  return {
    async resolve(id, datatype) {
      return id.startsWith(`${prefix}/`) ? finder.resolve(id.slice(prefix.length + 1), datatype) : undefined;
    },
    async list() {
      return (await finder.list()).map(({ id, datatype }) => ({ id: `${prefix}/${id}`, datatype }));
    },
    close: () => finder.close(),
  };
}
