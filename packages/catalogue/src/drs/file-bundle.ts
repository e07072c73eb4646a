import type { DrsBundle } from '@htskit/drs';

/** Returns a bundle of files, which have their names in it. */
export function toBundle(id: string, ids: readonly string[]): DrsBundle {
  const contents = ids.map((each) => ({
    id: each,
    name: each.slice(each.lastIndexOf('/') + 1).replace(/[^\w.-]/g, '_'),
  }));
  return { kind: 'bundle', id, contents };
}
