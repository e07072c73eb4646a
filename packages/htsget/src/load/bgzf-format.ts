import { type BinningIndex, indexBam, indexBcf, indexVcf } from '@htskit/indexes';
import { checkBgzf } from '../file/bgzf-check.js';
import { type BgzfFile, readBgzfFile } from '../file/bgzf-file.js';
import type { BgzfFormat } from '../file/record-format.js';
import { planBgzf } from '../plan/plan-bgzf.js';
import { parseBinningIndexOn } from '../transform/stream-transform.js';
import { convertVariants } from './convert-file.js';
import { type FileFormat, MAP_ENTRY_BYTES } from './file-format.js';
import { selectsRecords } from './rewrite-file.js';

const INDEXERS = { BAM: indexBam, BCF: indexBcf, VCF: indexVcf };

/** Creates the operations on files that store records in BGZF blocks. */
export function createBgzfFormat(format: BgzfFormat): FileFormat<BgzfFile, BinningIndex> {
  return {
    async readHeader(source, options) {
      const file = await readBgzfFile(source, { ...options, format });
      const { text, referenceIds, strings } = file.header;
      const stringBytes = (strings?.size ?? 0) * MAP_ENTRY_BYTES;
      return { value: file, weight: file.headerBlocks.length + text.length + referenceIds.byteLength + stringBytes };
    },
    parseIndex: (bytes, { workers, ...limits }) => parseBinningIndexOn(workers, bytes, limits),
    buildIndex: (chunks, limits) => INDEXERS[format](chunks, limits),
    isSplitByIndex: (query, isConverted) => isConverted || selectsRecords(query, format),
    check: checkBgzf,
    convert: convertVariants,
    plan: planBgzf,
  };
}
