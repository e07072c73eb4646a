import { JBROWSE_PLUGIN } from '../request-route.js';
import { objectPath, type ServedGenome, type ShownObject } from './served-genomes.js';

/** Tracks that are shown at first. */
const FIRST_TRACKS = 4;
/** The name by which JBrowse finds the plugin in its script. */
const PLUGIN_NAME = 'Htskit';

export interface JBrowseConfigOptions {
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
  /** Whether the server answers the depth of reads. */
  readonly hasCoverage: boolean;
  /** Whether the objects are those that a token may see. */
  readonly needsToken: boolean;
}

/** Returns the configuration of JBrowse 2 that shows the objects of all genomes, with the plugin that reads them. */
export function toJBrowseConfig(genomes: readonly ServedGenome[], options: JBrowseConfigOptions): object {
  const { publicUrl, needsToken } = options;
  const [first] = genomes;
  return {
    plugins: [{ name: PLUGIN_NAME, url: `${publicUrl}${JBROWSE_PLUGIN.script}` }],
    ...(needsToken && { internetAccounts: [toAccount(publicUrl)] }),
    assemblies: genomes.map((genome) => toAssembly(genome, publicUrl)),
    tracks: genomes.flatMap((genome) => tracksOf(genome, options)),
    ...(first !== undefined && { defaultSession: toSession(first, options) }),
  };
}

/** Returns the account whose token JBrowse requests from the user, and sends to this server alone. */
function toAccount(publicUrl: string): object {
  return {
    type: 'ExternalTokenInternetAccount',
    internetAccountId: 'htskit',
    name: new URL(publicUrl).host,
    domains: [publicUrl],
    tokenType: 'Bearer',
    // It would request each location without a region.
    validateWithHEAD: false,
  };
}

interface Adapter {
  readonly type: string;
  readonly [slot: string]: unknown;
}

function toAssembly({ digest }: ServedGenome, publicUrl: string): object {
  const adapter = toSequenceAdapter(digest, publicUrl);
  return { name: digest, sequence: { type: 'ReferenceSequenceTrack', trackId: `${digest}-sequence`, adapter } };
}

function toSequenceAdapter(digest: string, publicUrl: string): Adapter {
  const uri = `${publicUrl}/collection/${digest}/fasta`;
  return { type: 'IndexedFastaAdapter', fastaLocation: toLocation(uri), faiLocation: toLocation(`${uri}.fai`) };
}

interface Track {
  readonly trackId: string;
  readonly [member: string]: unknown;
}

function tracksOf({ digest, objects }: ServedGenome, options: JBrowseConfigOptions): readonly Track[] {
  return objects
    .flatMap((object) =>
      object.datatype === 'variants'
        ? [variantsTrack(object, options)]
        : [...depthTrack(object, options), readsTrack(object, digest, options)],
    )
    .map((track) => ({ ...track, assemblyNames: [digest] }));
}

function variantsTrack({ id }: ShownObject, { publicUrl }: JBrowseConfigOptions): Track {
  const htsgetLocation = toLocation(`${publicUrl}${objectPath('variants', id)}`);
  const adapter = { type: 'HtskitVariantsAdapter', htsgetLocation };
  return { type: 'VariantTrack', trackId: `variants/${id}`, name: id, adapter };
}

/** Returns the track of the depth: the bigWig if there is one, otherwise the bins that the server counts or estimates. */
function depthTrack({ id, hasDepth }: ShownObject, { publicUrl, hasCoverage }: JBrowseConfigOptions): readonly Track[] {
  if (!hasCoverage) return [];
  const coverage = `${publicUrl}${objectPath('coverage', id)}`;
  const htsgetLocation = toLocation(`${publicUrl}${objectPath('reads', id)}`);
  const adapter: Adapter = hasDepth
    ? { type: 'BigWigAdapter', bigWigLocation: toLocation(`${coverage}.bw`) }
    : { type: 'HtskitCoverageAdapter', coverageLocation: toLocation(coverage), htsgetLocation };
  return [{ type: 'QuantitativeTrack', trackId: `coverage/${id}`, name: `${id} depth`, adapter }];
}

function readsTrack({ id }: ShownObject, digest: string, { publicUrl, hasCoverage }: JBrowseConfigOptions): Track {
  const adapter: Adapter = {
    type: 'HtskitReadsAdapter',
    htsgetLocation: toLocation(`${publicUrl}${objectPath('reads', id)}`),
    ...(hasCoverage && { coverageLocation: toLocation(`${publicUrl}${objectPath('coverage', id)}`) }),
    sequenceAdapter: toSequenceAdapter(digest, publicUrl),
  };
  return { type: 'AlignmentsTrack', trackId: `reads/${id}`, name: id, adapter };
}

function toSession(genome: ServedGenome, options: JBrowseConfigOptions): object {
  const tracks = tracksOf(genome, options).slice(0, FIRST_TRACKS);
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
