import type { CraiIndex } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import { HtsgetError } from '@htskit/protocol';
import type { AlignmentFile } from '@htskit/records';
import { estimateDepth } from '../estimate/estimate-depth.js';
import type { CoverageRegion } from './exact-bins.js';
import { sampleAlignedBases, sampleContainers } from './file-samples.js';
import type { OpenedFile } from './open-files.js';

const alignedBases = new WeakMap<OpenedFile, Promise<number>>();
const cramDensities = new WeakMap<OpenedFile, Promise<number>>();

/**
 * Estimates the mean depth of bins, or the number of records in them, from the index, and from samples of the file that are read
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
    const basesPerByte = await once(cramDensities, opened, () => sampleContainers(data, index as CraiIndex));
    return bytes.map((count) => (count * basesPerByte * bins) / (region.end - region.start));
  }
  const isReads = file.format === 'BAM';
  const recordLength = isReads
    ? await once(alignedBases, opened, () => sampleAlignedBases(file as AlignmentFile, index))
    : 0;
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
