import { decodeText } from '@htskit/io';
import type { AlignmentFile } from '@htskit/records';
import type { DepthFile } from '../depth/depth.js';

/** The bit of FLAG of unmapped records, which have no depth. */
const UNMAPPED = 0x4;

/** Returns a view of a file in which records without one of some read groups are unmapped, so that they do not count. */
export function ofReadGroups(file: AlignmentFile, readGroups: readonly string[]): DepthFile {
  const ids = new Set(readGroups);
  return {
    references: file.references,
    async *columns(regions, options) {
      for await (const columns of file.columns(regions, { ...options, tags: ['RG'] })) {
        const { RG: groups } = columns.tags;
        const flags = columns.flags.map((flag, record) => {
          if (groups?.type !== 'text') return flag | UNMAPPED;
          // A record without the tag has an empty text, which no read group has as its ID.
          const id = decodeText(groups.values, groups.offsets[record], groups.offsets[record + 1]);
          return ids.has(id) ? flag : flag | UNMAPPED;
        });
        yield { ...columns, flags };
      }
    },
  };
}
