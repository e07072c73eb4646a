import type { Datatype } from '@htskit/protocol';
import type { StoreGuard } from '@htskit/storage/guard';
import type { CandidateFile, LookedUpObjectsOptions } from '../objects/looked-up-objects.js';
import { lookedUpObjects } from '../objects/looked-up-objects.js';
import {
  type ObjectCatalogue,
  type ObjectEntry,
  type ObjectKind,
  objectKindOf,
  toEntry,
} from '../objects/object-catalogue.js';
import { compareKinds } from '../objects/single-file.node.js';
import type { IdTable } from './id-table.node.js';
import type { NamedFiles } from './named-files.node.js';

/** Serves the objects of a table. Those of a DRS server, whose formats are not known, are not listed. */
export function tableObjects(
  table: IdTable,
  files: NamedFiles,
  { decrypt, forward }: Pick<LookedUpObjectsOptions, 'decrypt' | 'forward'>,
): ObjectCatalogue {
  const isServed = (kind: ObjectKind): boolean => decrypt !== undefined || !kind.isEncrypted;
  return lookedUpObjects({
    decrypt,
    forward,
    candidates: async (id, datatype, caller) => {
      const rows = await table.rowsOf(id);
      const { folder } = table;
      const found = rows.map((row) => files.ofLocation({ ...row, folder, id, datatype, caller }));
      const candidates: CandidateFile[] = (await Promise.all(found)).flat();
      return candidates.filter(({ kind }) => isServed(kind)).sort(compareKinds);
    },
    guards: (): readonly StoreGuard[] => [],
    list: async () => {
      const entries: ObjectEntry[] = [];
      for (const [id, rows] of await table.entries()) {
        const kinds = rows.map(({ location }) => objectKindOf(location)).filter((kind) => kind !== undefined);
        for (const datatype of ['reads', 'variants'] as const satisfies readonly Datatype[]) {
          const served = kinds.filter((kind) => kind.datatype === datatype && isServed(kind));
          if (served.length > 0) entries.push(toEntry({ id, datatype }, served));
        }
      }
      return entries;
    },
    close: async () => undefined,
  });
}
