// The libraries that open an index of each format. `open` takes the bytes of the file. `count` queries regions and sums
// up the results, so that no work can be optimised away. `chunks` returns those of one region as a flat list of starts
// and ends, each a virtual offset as one number; `containers` returns the starts of CRAM containers.
import { parseBai, parseCrai, parseCsi, parseTbi } from '@htskit/indexes';
import { gmodMajor, gmodPeer, importGmod } from '../gmod.mjs';
import { REFERENCES } from './references.mjs';

const { BAI: GmodBai, CSI: GmodCsi } = await importGmod('@gmod/bam');
const { CraiIndex } = await importGmod('@gmod/cram');
const { TBI: GmodTbi } = await importGmod('@gmod/tabix');

const byReferenceId = ({ referenceId }) => referenceId;
const byName = ({ referenceId }) => REFERENCES[referenceId].name;

/** The libraries by format: ours, and the peer on npm. */
export const LIBRARIES = {
  BAI: { ours: toOurs(parseBai), gmod: toGmod('@gmod/bam', { Index: GmodBai, reference: byReferenceId }) },
  CSI: { ours: toOurs(parseCsi), gmod: toGmod('@gmod/bam', { Index: GmodCsi, reference: byReferenceId }) },
  TBI: { ours: toOurs(parseTbi), gmod: toGmod('@gmod/tabix', { Index: GmodTbi, reference: byName }) },
  CRAI: { ours: toOursOfCram(), gmod: toGmodOfCram() },
};

function toOurs(parse) {
  return {
    name: 'ours',
    open: parse,
    count(index, regions) {
      let count = 0;
      for (const region of regions) count += index.chunks(region).length;
      return count;
    },
    chunks: (index, region) => index.chunks(region).flatMap(({ start, end }) => [start, end].map(toNumber)),
  };
}

function toNumber({ coffset, uoffset }) {
  return coffset * 65_536 + uoffset;
}

function toGmod(peer, { Index, reference }) {
  return {
    name: gmodPeer(peer),
    async open(bytes) {
      const index = new Index({ filehandle: { readFile: async () => bytes } });
      await index.parse();
      // A copy, because the index must not keep the bytes of the file.
      index.filehandle = undefined;
      return index;
    },
    async count(index, regions) {
      let count = 0;
      for (const region of regions) {
        count += (await index.blocksForRange(reference(region), region.start, region.end)).length;
      }
      return count;
    },
    async chunks(index, region) {
      const chunks = await index.blocksForRange(reference(region), region.start, region.end);
      return chunks.flatMap(({ minv, maxv }) =>
        [minv, maxv].map(({ blockPosition, dataPosition }) => blockPosition * 65_536 + dataPosition),
      );
    },
  };
}

function toOursOfCram() {
  return {
    name: 'ours',
    open: parseCrai,
    count(index, regions) {
      let count = 0;
      for (const region of regions) count += index.containers(region).length;
      return count;
    },
    containers: (index, region, containerStarts) =>
      index
        .containers(region)
        .flatMap(({ start, end = Number.POSITIVE_INFINITY }) =>
          containerStarts.filter((at) => at >= start && at < end),
        ),
  };
}

function toGmodOfCram() {
  // Until version 9 1-based, with both ends included.
  const first = gmodMajor('@gmod/cram') < 10 ? 1 : 0;
  const entries = (index, { referenceId, start, end }) => index.getEntriesForRange(referenceId, start + first, end);
  return {
    name: gmodPeer('@gmod/cram'),
    async open(bytes) {
      const index = new CraiIndex({ filehandle: { readFile: async () => bytes } });
      await index.getIndex();
      index.filehandle = undefined;
      return index;
    },
    async count(index, regions) {
      let count = 0;
      for (const region of regions) count += (await entries(index, region)).length;
      return count;
    },
    containers: async (index, region) => (await entries(index, region)).map(({ containerStart }) => containerStart),
  };
}
