// Verifies the answers of an index: the chunks hold the records that lie in a region, and nothing outside the chunks of
// another implementation. Chunks are flat lists of starts and ends.
import { WINDOW_SPAN } from './binned-file.mjs';
import { REFERENCES } from './references.mjs';
import { regionsOfAllWidths } from './regions.mjs';

const REGIONS_ON_EACH_REFERENCE = 120;

/** Returns whether our chunks are right in some thousand regions of all widths. */
export async function agreesOnChunks({ ours, gmod, htslib, indexes, file }) {
  const regions = regionsOfAllWidths(REGIONS_ON_EACH_REFERENCE).filter((region) => !beginsInGap(region, file));
  const gmodLists = [];
  for (const region of regions) gmodLists.push(await gmod.chunks(indexes.gmod, region));
  const others = htslib === undefined ? [gmodLists] : [gmodLists, await htslib.chunks(regions)];
  const lists = regions.map((region) => ours.chunks(indexes.ours, region));
  return regions.length > 2500 && countWrong(regions, { ours: lists, others, file }) === 0;
}

/** Returns whether our containers, and those of the peer, are those that have a slice in the region. */
export async function agreesOnContainers({ ours, gmod, indexes, slices }) {
  const byReference = REFERENCES.map((_, id) => slices.filter(({ referenceId }) => referenceId === id));
  const regions = regionsOfAllWidths(REGIONS_ON_EACH_REFERENCE / 2);
  for (const region of regions) {
    const onReference = byReference[region.referenceId];
    const expected = onReference
      .filter(({ start, end }) => start < region.end && end > region.start)
      .map(({ containerStart }) => containerStart);
    const starts = onReference.map(({ containerStart }) => containerStart);
    const found = ours.containers(indexes.ours, region, starts);
    const foundByPeer = await gmod.containers(indexes.gmod, region);
    if (![found, foundByPeer].every((containers) => String(containers) === String(expected))) return false;
  }
  return true;
}

/**
 * Returns whether no record begins in the window in which the region begins. There ours looks further back than others,
 * for the unmapped reads that HTSlib before 1.15 left out of the linear index, and returns up to a window more.
 */
function beginsInGap({ referenceId, start }, { references }) {
  const { ownStarts } = references[referenceId];
  const window = Math.floor(start / WINDOW_SPAN);
  return ownStarts[window] === ownStarts[window + 1];
}

/** Counts the regions with wrong chunks. `others` has one list by region for each other implementation. */
function countWrong(regions, { ours, others, file }) {
  return regions.filter((region, index) => {
    const chunks = joined(ours[index]);
    return (
      !isWithin(joined(knownChunk(region, file)), chunks) ||
      others.some((lists) => !isWithin(chunks, joined(lists[index])))
    );
  }).length;
}

/** Returns the records that begin in windows that lie wholly in the region: one chunk, or an empty list. */
function knownChunk({ referenceId, start, end }, { references, locate }) {
  const { ownStarts } = references[referenceId];
  const first = Math.ceil(start / WINDOW_SPAN);
  const last = Math.floor(end / WINDOW_SPAN);
  if (!(first < last) || ownStarts[first] === ownStarts[last]) return [];
  return [ownStarts[first], ownStarts[last]].map((position) => {
    const { coffset, uoffset } = locate(position);
    return coffset * 65_536 + uoffset;
  });
}

/** Merges chunks that overlap or touch, in order. */
function joined(chunks) {
  const pairs = Array.from({ length: chunks.length / 2 }, (_, index) => chunks.slice(2 * index, 2 * index + 2));
  const result = [];
  for (const [start, end] of pairs.sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last === undefined || last[1] < start) result.push([start, end]);
    else last[1] = Math.max(last[1], end);
  }
  return result;
}

function isWithin(inner, outer) {
  let index = 0;
  return inner.every(([start, end]) => {
    while (index < outer.length && outer[index][1] < end) index += 1;
    return index < outer.length && outer[index][0] <= start;
  });
}
