import { NameTable } from '@htskit/formats/internal';

/** Returns names and their ids, as the readers of headers do. */
export function nameTable(...names: readonly string[]): NameTable {
  const table = new NameTable();
  for (const name of names) table.add(new TextEncoder().encode(name));
  return table;
}
