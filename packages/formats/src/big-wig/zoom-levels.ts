import type { DeflateOptions } from '@htskit/bgzf';
import type { BlockList } from './block-list.js';
import type { BigWigReference } from './chromosome-tree.js';
import { RunSummaries, SummaryCounter } from './run-summaries.js';
import type { FileEnd } from './target.js';
import {
  readSummaries,
  SUMMARY_BYTES,
  type Summary,
  SummaryGroups,
  ZOOM_FACTOR,
  type ZoomLevel,
  ZoomLevelWriter,
} from './zoom-level.js';

export const MAX_ZOOM_LEVELS = 10;
const MIN_REDUCTION = 10;
/** A larger first reduction is not considered. */
const MAX_FIRST_REDUCTION = 1e9;
const MAX_REDUCTION = 2 ** 32 - 1;

/** The data that is summarised. */
export interface SummarisedData {
  readonly sections: BlockList;
  readonly references: readonly BigWigReference[];
  /** The mean length of the runs. */
  readonly meanRunLength: number;
  /** Bytes of the compressed sections. */
  readonly byteLength: number;
}

/**
 * Writes the zoom levels that bedGraphToBigWig writes. The first is the most detailed one that is estimated to take at most half as
 * many bytes as the data. Summaries of each next one have four times as many bases, as long as there are fewer of them.
 */
export async function writeZoomLevels(
  end: FileEnd,
  data: SummarisedData,
  deflate: DeflateOptions,
): Promise<readonly ZoomLevel[]> {
  if (data.sections.length === 0) return [];
  let level = await writeFirstLevel(end, data, deflate);
  const levels = [level];
  while (levels.length < MAX_ZOOM_LEVELS && level.nextCount < level.count) {
    const reduction = level.reduction * ZOOM_FACTOR;
    if (reduction > MAX_REDUCTION) break;
    level = await writeNextLevel(end, level, deflate);
    levels.push(level);
  }
  return levels;
}

async function writeFirstLevel(end: FileEnd, data: SummarisedData, deflate: DeflateOptions): Promise<ZoomLevel> {
  const { reduction, count } = await chooseReduction(data);
  const writer = new ZoomLevelWriter(end, { reduction, count }, deflate);
  const summaries = new RunSummaries(writer, reduction, data.references);
  for await (const section of data.sections.read()) {
    for (const _ of summaries.addSection(section)) await end.drain();
  }
  summaries.finish();
  return writer.finish();
}

/** Returns the reduction of the first zoom level, and the number of its summaries. */
async function chooseReduction({ sections, meanRunLength, byteLength }: SummarisedData): Promise<SummaryCounter> {
  const first = new SummaryCounter(Math.max(MIN_REDUCTION, Math.trunc(meanRunLength)));
  const counters = [first];
  for (let last = first; last.reduction <= MAX_FIRST_REDUCTION && counters.length < MAX_ZOOM_LEVELS; ) {
    last = new SummaryCounter(last.reduction * ZOOM_FACTOR);
    counters.push(last);
  }
  for await (const section of sections.read()) {
    for (const counter of counters) counter.addSection(section);
  }
  // Summaries are estimated to be compressed to half of their size.
  return counters.find(({ count }) => count * SUMMARY_BYTES <= byteLength) ?? first;
}

async function writeNextLevel(end: FileEnd, level: ZoomLevel, deflate: DeflateOptions): Promise<ZoomLevel> {
  const reduction = level.reduction * ZOOM_FACTOR;
  const writer = new ZoomLevelWriter(end, { reduction, count: level.nextCount }, deflate);
  const groups = new SummaryGroups(reduction);
  let group: Summary | undefined;
  for await (const block of level.blocks.read()) {
    for (const summary of readSummaries(block)) {
      if (!groups.begins(summary) && group !== undefined) addSummary(group, summary);
      else {
        if (group !== undefined) writer.add(group);
        group = summary;
      }
    }
    await end.drain();
  }
  if (group !== undefined) writer.add(group);
  return writer.finish();
}

function addSummary(group: Summary, { end, baseCount, minimum, maximum, sum, squareSum }: Summary): void {
  group.end = end;
  group.baseCount += baseCount;
  group.minimum = Math.min(group.minimum, minimum);
  group.maximum = Math.max(group.maximum, maximum);
  group.sum += sum;
  group.squareSum += squareSum;
}
