import { parseCramContainerHeader } from '@htskit/formats';
import { CRAM_FILE_DEFINITION_LENGTH, parseCramFileDefinition } from '@htskit/formats/internal';
import type { CraiIndex } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';
import type { AlignmentFile } from '@htskit/records';
import { estimateDepth } from '../estimate/estimate-depth.js';
import type { CoverageRegion } from './exact-bins.js';
import type { OpenedFile } from './open-files.js';

/** Records at the start of a file whose mean number of aligned bases is that of all. */
const SAMPLED_RECORDS = 1000;
/** More than the header of a container has. */
const CONTAINER_HEADER_BYTES = 2 ** 16;

const alignedBases = new WeakMap<OpenedFile, Promise<number>>();
const cramDensities = new WeakMap<OpenedFile, Promise<number>>();

/**
 * Estimates the mean depth of bins, or the number of records in them, from the index, and from a sample of the file that is read
 * once. Throws `HtsgetError` InvalidInput if the index does not allow it.
 */
export async function estimateBins(
  opened: OpenedFile,
  { bins, ...region }: CoverageRegion,
  data: ByteSource,
): Promise<Float32Array> {
  const { file } = opened;
  const index = await opened.loadIndex();
  if (index === undefined) {
    throw new HtsgetError('InternalServerError', 'the file has no index, which the coverage of long regions needs');
  }
  if (file.format === 'CRAM') {
    const { bytes } = estimateDepth(index, { ...region, bins });
    const basesPerByte = await once(cramDensities, opened, () => sampleContainer(data, index as CraiIndex));
    return bytes.map((count) => (count * basesPerByte * bins) / (region.end - region.start));
  }
  const isReads = file.format === 'BAM';
  const recordLength = isReads ? await once(alignedBases, opened, () => meanAlignedBases(file as AlignmentFile)) : 0;
  const { records, mean } = estimateDepth(index, { ...region, bins, recordLength });
  const values = isReads ? mean : records;
  if (values === undefined) throw cannotEstimate('its index has no numbers of records');
  return values;
}

function cannotEstimate(reason: string): HtsgetError {
  return new HtsgetError(
    'InvalidInput',
    `the coverage of this region cannot be estimated: ${reason}; request a shorter one`,
  );
}

function once(
  known: WeakMap<OpenedFile, Promise<number>>,
  opened: OpenedFile,
  sample: () => Promise<number>,
): Promise<number> {
  const started = known.get(opened) ?? sample();
  known.set(opened, started);
  started.catch(() => known.delete(opened));
  return started;
}

/** Returns the mean number of bases that the first records align to the reference. */
async function meanAlignedBases(file: AlignmentFile): Promise<number> {
  for await (const { length, cigar } of file.columns(undefined, { fields: ['cigar'], maxRecords: SAMPLED_RECORDS })) {
    let sum = 0;
    for (const operation of cigar.values) if (isAligned(operation & 0xf)) sum += operation >>> 4;
    return sum / Math.max(1, length);
  }
  return 0;
}

/** M, = and X, by their numbers in BAM (SAMv1 §4.2). */
function isAligned(operation: number): boolean {
  return operation === 0 || operation === 7 || operation === 8;
}

/** Returns the number of bases of reads per stored byte in the first container of records. */
async function sampleContainer(data: ByteSource, index: CraiIndex): Promise<number> {
  const { version } = parseCramFileDefinition(await data.read({ start: 0, end: CRAM_FILE_DEFINITION_LENGTH }));
  for (const { containerStart, referenceId } of index.slices()) {
    if (referenceId < 0) continue;
    const bytes = await data.read({ start: containerStart, end: containerStart + CONTAINER_HEADER_BYTES });
    const header = parseCramContainerHeader(bytes, { version, offset: containerStart });
    return header === undefined ? 0 : header.baseCount / Math.max(1, header.length);
  }
  return 0;
}
