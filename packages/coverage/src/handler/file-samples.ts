import { type CramContainerHeader, parseCramContainerHeader } from '@htskit/formats';
import { CRAM_FILE_DEFINITION_LENGTH, parseCramFileDefinition } from '@htskit/formats/internal';
import type { CraiIndex } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import type { DepthFile } from '../depth/depth.js';
import { DEFAULT_EXCLUDE_FLAGS } from '../depth/depth-columns.js';
import type { EstimatedIndex } from '../estimate/estimate-depth.js';

/** Places of a file that are sampled. The first reads alone may be unlike the others. */
const PLACES = 8;
/** Records of a place. */
const PLACE_RECORDS = 128;
/** More than the header of a container has. */
const CONTAINER_HEADER_BYTES = 2 ** 16;
const UNMAPPED = 4;

/**
 * Returns the mean number of bases of a mapped record that count for the depth, from records at several places. Their references are
 * chosen by the numbers of their records.
 */
export async function sampleAlignedBases(
  file: Pick<DepthFile, 'columns' | 'references'>,
  index: EstimatedIndex,
): Promise<number> {
  const mapped = file.references.map((_, id) => index.referenceStatistics?.(id)?.mapped ?? 0);
  const samples = await Promise.all(placesIn(file.references, mapped).map((place) => samplePlace(file, place)));
  let [records, bases] = [0, 0];
  for (const sample of samples) {
    records += sample.records;
    bases += sample.bases;
  }
  return bases / Math.max(1, records);
}

interface Place {
  readonly referenceName: string;
  readonly referenceId: number;
  readonly start: number;
}

/** Returns places whose distances have about the same number of records, if those of a reference are evenly distributed. */
function placesIn(references: DepthFile['references'], mapped: readonly number[]): Place[] {
  const total = mapped.reduce((sum, count) => sum + count, 0);
  const places: Place[] = [];
  let before = 0;
  for (const [referenceId, count] of mapped.entries()) {
    const { name, length = 0 } = references[referenceId] ?? { name: '' };
    for (let record = ((places.length + 0.5) * total) / PLACES; record < before + count; ) {
      places.push({ referenceName: name, referenceId, start: Math.floor((length * (record - before)) / count) });
      record = ((places.length + 0.5) * total) / PLACES;
    }
    before += count;
  }
  return places;
}

/** Sums the first records that begin at a place or after it; if none do, those at the start of the reference. */
async function samplePlace(
  file: Pick<DepthFile, 'columns'>,
  place: Place,
): Promise<{ records: number; bases: number }> {
  const sum = { records: 0, bases: 0 };
  for (const start of new Set([place.start, 0])) {
    const { referenceName } = place;
    const options = { fields: ['start', 'flags', 'cigar'], maxRecords: PLACE_RECORDS } as const;
    for await (const { length, start: starts, flags, cigar } of file.columns([{ referenceName, start }], options)) {
      for (let i = 0; i < length; i++) {
        // Records that begin before are there because they are long.
        const flag = flags[i] ?? 0;
        if ((starts[i] ?? 0) < start || (flag & UNMAPPED) !== 0) continue;
        sum.records++;
        if ((flag & DEFAULT_EXCLUDE_FLAGS) !== 0) continue;
        sum.bases += alignedBases(cigar.values, cigar.offsets[i] ?? 0, cigar.offsets[i + 1] ?? 0);
      }
      if (sum.records > 0) return sum;
    }
  }
  return sum;
}

function alignedBases(operations: Uint32Array, first: number, end: number): number {
  let bases = 0;
  for (let i = first; i < end; i++) {
    const operation = operations[i] ?? 0;
    if (isAligned(operation & 0xf)) bases += operation >>> 4;
  }
  return bases;
}

/** M, = and X, by their numbers in BAM (SAMv1 §4.2). */
function isAligned(operation: number): boolean {
  return operation === 0 || operation === 7 || operation === 8;
}

/** Returns the number of bases of reads per stored byte, from the headers of several containers. */
export async function sampleContainers(data: ByteSource, index: CraiIndex): Promise<number> {
  const { version } = parseCramFileDefinition(await data.read({ start: 0, end: CRAM_FILE_DEFINITION_LENGTH }));
  const starts = new Set<number>();
  for (const { containerStart, referenceId } of index.slices()) if (referenceId >= 0) starts.add(containerStart);
  const all = [...starts].sort((a, b) => a - b);
  const sampled = new Set(Array.from({ length: PLACES }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / PLACES)]));
  const readHeader = async (start = 0): Promise<CramContainerHeader | undefined> => {
    const bytes = await data.read({ start, end: start + CONTAINER_HEADER_BYTES });
    return parseCramContainerHeader(bytes, { version, offset: start });
  };
  const headers = await Promise.all(all.length === 0 ? [] : Array.from(sampled, readHeader));
  const sum = (amountOf: (header: CramContainerHeader) => number): number =>
    headers.reduce((total, header) => total + (header === undefined ? 0 : amountOf(header)), 0);
  return (
    sum(({ baseCount }) => baseCount) /
    Math.max(
      1,
      sum(({ length }) => length),
    )
  );
}
