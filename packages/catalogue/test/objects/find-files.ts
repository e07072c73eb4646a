import type { Datatype } from '@htskit/protocol';
import type { ObjectCatalogue } from '../../src/objects/object-catalogue.js';

/** Returns the format, data size and index size of each file of an object: the sizes identify the files. */
export async function findFiles(
  catalogue: ObjectCatalogue,
  id: string,
  datatype: Datatype = 'reads',
): Promise<unknown[] | undefined> {
  const files = await catalogue.resolve(id, datatype);
  const found = files?.map(async ({ format, data, index }) => [
    format,
    (await data.stat()).size,
    (await index?.stat())?.size,
  ]);
  return found && Promise.all(found);
}
