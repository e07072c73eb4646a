import type { DecodedFile, DecodedRecord } from '../file/decode-file.js';

/** A region as requests name it: 0-based and half-open. Without `start` from the first base, without `end` to the last. */
export interface ProbeRegion {
  readonly referenceName: string;
  readonly start?: number;
  readonly end?: number;
}

/** Returns the parameters of a GET request for a region. */
export function toParameters({ referenceName, start, end }: ProbeRegion): Readonly<Record<string, string | undefined>> {
  return { referenceName, start: start?.toString(), end: end?.toString() };
}

/** Formats a region for a report. */
function formatRegion({ referenceName, start = 0, end }: ProbeRegion): string {
  return `${referenceName}:[${start}, ${end ?? 'end'})`;
}

/** Formats regions for a report. */
export function formatRegions(regions: readonly ProbeRegion[]): string {
  const shown = regions.slice(0, 3).map(formatRegion).join(', ');
  return regions.length > 3 ? `${shown} and ${regions.length - 3} more` : shown;
}

/** Returns whether a record overlaps any of the regions. */
export function overlaps(record: DecodedRecord, regions: readonly ProbeRegion[]): boolean {
  return regions.some(
    ({ referenceName, start = 0, end = Number.POSITIVE_INFINITY }) =>
      record.referenceName === referenceName && record.start < end && record.end > start,
  );
}

/** Regions of a file that its records make worth asking for. */
export interface ChosenRegions {
  /** Regions of up to a few thousand bases with records at the beginning, in the middle and at the end of references. */
  readonly small: readonly ProbeRegion[];
  /** A single base that a record covers. */
  readonly base: ProbeRegion;
  /** The references with records, in file order. */
  readonly references: readonly string[];
  /** A reference in the header without records. */
  readonly emptyReference: string | undefined;
}

/** Bases of a region that is requested around a record. */
const REGION_BASES = 500;
/** References whose records are requested: the first and the last ones. */
const MAX_REFERENCES = 3;

/** Chooses regions around records, within the window that these are of. Returns undefined for a file without placed records. */
export function chooseRegions({ records, references }: DecodedFile, window?: ProbeRegion): ChosenRegions | undefined {
  const placed = records.filter(({ referenceName }) => referenceName !== undefined);
  const [first] = placed;
  if (first?.referenceName === undefined) return undefined;
  const base = Math.max(first.start, window?.start ?? 0);
  const byReference = groupByReference(placed);
  const names = [...byReference.keys()];
  const chosen = names.length <= MAX_REFERENCES ? names : [...names.slice(0, MAX_REFERENCES - 1), ...names.slice(-1)];
  const small = chosen.flatMap((name) => {
    const group = byReference.get(name) ?? [];
    const picked = [group[0], group[Math.floor(group.length / 2)], group.at(-1)];
    return picked.filter((record) => record !== undefined).map((record) => regionAround(name, record, window));
  });
  return {
    small: distinct(small),
    base: { referenceName: first.referenceName, start: base, end: base + 1 },
    references: names,
    emptyReference:
      window === undefined ? references.map(({ name }) => name).find((name) => !byReference.has(name)) : undefined,
  };
}

/** Returns a region around the first base of a record within the window. */
function regionAround(referenceName: string, { start }: DecodedRecord, window: ProbeRegion | undefined): ProbeRegion {
  const { start: first = 0, end: last = Number.POSITIVE_INFINITY } = window ?? {};
  const from = Math.max(first, Math.max(start, first) - REGION_BASES / 2);
  return { referenceName, start: from, end: Math.min(last, from + REGION_BASES) };
}

function groupByReference(records: readonly DecodedRecord[]): ReadonlyMap<string, readonly DecodedRecord[]> {
  const groups = new Map<string, DecodedRecord[]>();
  for (const record of records) {
    if (record.referenceName === undefined) continue;
    const group = groups.get(record.referenceName);
    if (group === undefined) groups.set(record.referenceName, [record]);
    else group.push(record);
  }
  return groups;
}

function distinct(regions: readonly ProbeRegion[]): readonly ProbeRegion[] {
  return [...new Map(regions.map((region) => [formatRegion(region), region])).values()];
}
