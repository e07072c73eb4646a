import type { NameLookup } from './name-table.js';

/** The references of a file that regions may name. */
export interface KnownReferences {
  /** Returns the id of a reference, which records that number their references use, or undefined if the file does not have it. */
  readonly referenceId: (name: string) => number | undefined;
  /** Whether the file declares several references of a name, which a region cannot select. */
  readonly isRepeated: (name: string) => boolean;
  /** The names, and about how many there are, for messages. */
  readonly names: () => Iterable<string>;
  readonly count: number;
  /** Whether records may have no reference, as reads may. */
  readonly hasUnplaced: boolean;
}

/** Returns the references of a file whose records number them as its header does: BAM, CRAM and BCF. */
export function numberedReferences(
  ids: NameLookup,
  { hasUnplaced }: Pick<KnownReferences, 'hasUnplaced'>,
): KnownReferences {
  return {
    referenceId: (name) => ids.get(name),
    isRepeated: (name) => ids.isRepeated?.(name) === true,
    names: () => ids.keys(),
    count: ids.size,
    hasUnplaced,
  };
}

/** The part of an index that knows the names of references. */
export interface NameIndex {
  readonly tabix: { readonly names: readonly string[] } | undefined;
  referenceId(name: string): number | undefined;
}

/**
 * Returns the references of a file of lines, whose records name them: those of its header, which need not declare all, and of its
 * index. Without an index, every name may be one.
 */
export function namedReferences(ids: NameLookup, index: NameIndex | undefined): KnownReferences {
  const indexed = index?.tabix?.names ?? [];
  const undeclared = new Map<string, number>();
  return {
    referenceId(name) {
      const id = ids.get(name) ?? undeclared.get(name);
      if (id !== undefined || !(index === undefined || index.referenceId(name) !== undefined)) return id;
      undeclared.set(name, ids.size + undeclared.size);
      return undeclared.get(name);
    },
    // Records name their contigs, so that lines which declare one twice mean the same.
    isRepeated: () => false,
    names: () => new Set([...ids.keys(), ...indexed]),
    count: Math.max(ids.size, indexed.length),
    hasUnplaced: false,
  };
}
