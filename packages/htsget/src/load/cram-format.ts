import { type CraiIndex, indexCram } from '@htskit/indexes';
import type { ByteRange, ByteSource } from '@htskit/io';
import { checkContainers, checkCram } from '../file/cram-check.js';
import { indexContainers } from '../file/cram-containers.js';
import { type CramFile, readCramFile } from '../file/cram-file.js';
import type { Plan } from '../plan/plan.js';
import { planCram } from '../plan/plan-cram.js';
import { planCramConversion } from '../plan/plan-cram-conversion.js';
import { parseCraiOn } from '../transform/stream-transform.js';
import { convertCram } from './convert-file.js';
import { checkReferences } from './cram-references.js';
import { type FileFormat, MAP_ENTRY_BYTES, type PlannedFile } from './file-format.js';

/**
 * The share of `limits.indexBytes` that a CRAI index may have: open, it takes up to five times the memory of its text. Indexes of
 * human genomes have 5 MB.
 */
const CRAI_SHARE = 1 / 8;

/** The operations on CRAM files. */
export const CRAM_FORMAT: FileFormat<CramFile, CraiIndex> = {
  async readHeader(source, options) {
    const file = await readCramFile(source, options);
    const { text, referenceIds } = file.header;
    return { value: file, weight: file.headerBytes.length + text.length + referenceIds.size * MAP_ENTRY_BYTES };
  },
  parseIndex: (bytes, { workers, maxBytes, memory }) =>
    parseCraiOn(workers, bytes, { maxBytes: maxBytes * CRAI_SHARE, memory }),
  buildIndex: indexCram,
  // The containers to convert are found without an index.
  isSplitByIndex: (_, isConverted) => !isConverted,
  indexParts: indexContainers,
  check: checkCram,
  convert: convertCram,
  plan: ({ conversion, ...input }) =>
    conversion === undefined ? planCram(input) : planCramConversion({ ...input, conversion }),
  async verify(source, plan, planned) {
    const { file, storedIndex, truncation, version } = planned;
    const ranges = containerRanges(plan);
    if (truncation !== undefined && ranges.some(({ end }) => end === file.end)) throw truncation;
    if (storedIndex !== undefined) {
      const edges = ranges.flatMap(({ start, end }) => [start, end]).filter((offset) => offset < file.end);
      await checkContainers(source, edges, { file, index: storedIndex, version });
    }
    await verifyReferences(source, plan, planned);
  },
};

/** Returns the parts of the file that a plan sends or converts, except for the header. */
function containerRanges({ segments }: Plan): readonly ByteRange[] {
  return segments.flatMap((segment) => {
    if (segment.kind === 'inline' || segment.kind === 'header' || segment.class === 'header') return [];
    return segment.kind === 'cut' ? [{ start: segment.start.coffset, end: segment.end.coffset }] : [segment];
  });
}

/** Throws `HtsgetError` UnsupportedFormat if records are converted and a reference that they need is not available. */
async function verifyReferences(
  source: ByteSource,
  { segments, conversion }: Plan,
  { file, index, query: { regions }, reference, version, signal }: PlannedFile<CramFile, CraiIndex>,
): Promise<void> {
  if (conversion?.records.from !== 'CRAM' || index === undefined) return;
  const cuts = regions && segments.filter((segment) => segment.kind === 'cut');
  const regionIds = (regions ?? []).flatMap(({ referenceName }) => file.header.referenceIds.get(referenceName) ?? []);
  await checkReferences(source, { file, index, cuts, regionIds, reference, version, signal });
}
