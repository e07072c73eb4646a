import { objectPath, type ServedGenome, type ShownObject } from './served-genomes.js';

/** Tracks that are shown at first. */
const FIRST_TRACKS = 4;

/** Returns the configuration of JBrowse 2 that shows the objects of all genomes, with adapters that JBrowse has. */
export function toJBrowseConfig(genomes: readonly ServedGenome[], publicUrl: string): object {
  const tracks = genomes.flatMap((genome) => tracksOf(genome, publicUrl));
  const [first] = genomes;
  return {
    assemblies: genomes.map(({ digest }) => toAssembly(digest, publicUrl)),
    tracks,
    ...(first !== undefined && { defaultSession: toSession(first, publicUrl) }),
  };
}

function toAssembly(digest: string, publicUrl: string): object {
  const uri = `${publicUrl}/collection/${digest}/fasta`;
  const adapter = {
    type: 'IndexedFastaAdapter',
    fastaLocation: toLocation(uri),
    faiLocation: toLocation(`${uri}.fai`),
  };
  return { name: digest, sequence: { type: 'ReferenceSequenceTrack', trackId: `${digest}-sequence`, adapter } };
}

interface Track {
  readonly trackId: string;
  readonly [member: string]: unknown;
}

function tracksOf({ digest, objects }: ServedGenome, publicUrl: string): readonly Track[] {
  // JBrowse reads variants from files only.
  const reads = objects.filter(({ datatype }) => datatype === 'reads');
  return reads
    .flatMap((object) => [...depthTrack(object, publicUrl), readsTrack(object, publicUrl)])
    .map((track) => ({
      ...track,
      assemblyNames: [digest],
    }));
}

function depthTrack({ id, hasDepth }: ShownObject, publicUrl: string): readonly Track[] {
  if (!hasDepth) return [];
  const bigWigLocation = toLocation(`${publicUrl}${objectPath('coverage', id)}.bw`);
  const adapter = { type: 'BigWigAdapter', bigWigLocation };
  return [{ type: 'QuantitativeTrack', trackId: `coverage/${id}`, name: `${id} depth`, adapter }];
}

function readsTrack({ id }: ShownObject, publicUrl: string): Track {
  const path = objectPath('reads', id);
  // JBrowse does not escape the id.
  const adapter = {
    type: 'HtsgetBamAdapter',
    htsgetBase: `${publicUrl}/reads`,
    htsgetTrackId: path.slice('/reads/'.length),
  };
  return { type: 'AlignmentsTrack', trackId: `reads/${id}`, name: id, adapter };
}

function toSession(genome: ServedGenome, publicUrl: string): object {
  const tracks = tracksOf(genome, publicUrl).slice(0, FIRST_TRACKS);
  const init = {
    assembly: genome.digest,
    loc: genome.locus.replace(/-(?=\d+$)/, '..'),
    tracks: tracks.map(({ trackId }) => trackId),
  };
  return { name: 'htskit', views: [{ id: 'htskit', type: 'LinearGenomeView', init }] };
}

function toLocation(uri: string): object {
  return { uri, locationType: 'UriLocation' };
}
