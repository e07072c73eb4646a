import { JBROWSE_PLUGIN } from './browser-paths.js';
import {
  type GenomeListing,
  type NamedGenome,
  objectPath,
  type ServedGenome,
  type ShownObject,
} from './served-genomes.js';

/** Tracks that are shown at first. */
const FIRST_TRACKS = 4;
/** The name by which JBrowse finds the plugin in its script. */
const PLUGIN_NAME = 'Htskit';

/** The adapter of JBrowse of an assembly without bases. */
const REGIONS_ADAPTER = 'FromConfigRegionsAdapter';

export interface JBrowseConfigOptions {
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
  /** Whether the server answers the depth of reads. */
  readonly hasCoverage: boolean;
  /** Whether the objects are those that a token may see. */
  readonly needsToken: boolean;
}

/** The objects of one assembly of JBrowse. */
interface Assembly {
  readonly name: string;
  readonly adapter: Adapter;
  readonly objects: readonly ShownObject[];
  readonly locus: string;
}

/** Returns the configuration of JBrowse 2 that shows all objects, with the plugin that reads them. */
export function toJBrowseConfig(genomes: GenomeListing, options: JBrowseConfigOptions): object {
  const { publicUrl, needsToken } = options;
  const assemblies = [...genomes.served.map((genome) => toAssembly(genome, publicUrl)), ...genomes.named.map(toNamed)];
  const [first] = assemblies;
  return {
    plugins: [{ name: PLUGIN_NAME, url: `${publicUrl}${JBROWSE_PLUGIN.script}` }],
    ...(needsToken && { internetAccounts: [toAccount(publicUrl)] }),
    assemblies: assemblies.map(({ name, adapter }) => ({
      name,
      sequence: { type: 'ReferenceSequenceTrack', trackId: `${name}-sequence`, adapter },
    })),
    tracks: assemblies.flatMap((assembly) => tracksOf(assembly, options)),
    ...(first !== undefined && { defaultSession: toSession(first, options) }),
  };
}

/** Returns the account whose token JBrowse requests from the user, and sends to this server alone. */
function toAccount(publicUrl: string): object {
  return {
    type: 'ExternalTokenInternetAccount',
    internetAccountId: 'htskit',
    name: new URL(publicUrl).host,
    // With the slash, no other host begins so.
    domains: [`${publicUrl}/`],
    tokenType: 'Bearer',
    // It would request each location without a region.
    validateWithHEAD: false,
  };
}

interface Adapter {
  readonly type: string;
  readonly [slot: string]: unknown;
}

function toAssembly({ digest, objects, locus }: ServedGenome, publicUrl: string): Assembly {
  const uri = `${publicUrl}/collection/${digest}/fasta`;
  const locations = { fastaLocation: toLocation(uri), faiLocation: toLocation(`${uri}.fai`) };
  return { name: digest, adapter: { type: 'IndexedFastaAdapter', ...locations }, objects, locus };
}

/** Returns an assembly of the references that a header names: JBrowse shows objects on it, without bases. */
function toNamed({ references, objects, locus }: NamedGenome): Assembly {
  const features = references.map(({ name, length }) => ({ uniqueId: name, refName: name, start: 0, end: length }));
  const name = `references of ${objects[0]?.id}`;
  return { name, adapter: { type: REGIONS_ADAPTER, features }, objects, locus };
}

interface Track {
  readonly trackId: string;
  readonly [member: string]: unknown;
}

function tracksOf(assembly: Assembly, options: JBrowseConfigOptions): readonly Track[] {
  return assembly.objects
    .flatMap((object) =>
      object.datatype === 'variants'
        ? [variantsTrack(object, options)]
        : [...depthTrack(object, options), readsTrack(object, assembly, options)],
    )
    .map((track) => ({ ...track, assemblyNames: [assembly.name] }));
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

function readsTrack(
  { id }: ShownObject,
  { adapter: sequenceAdapter }: Assembly,
  { publicUrl, hasCoverage }: JBrowseConfigOptions,
): Track {
  const adapter: Adapter = {
    type: 'HtskitReadsAdapter',
    htsgetLocation: toLocation(`${publicUrl}${objectPath('reads', id)}`),
    ...(hasCoverage && { coverageLocation: toLocation(`${publicUrl}${objectPath('coverage', id)}`) }),
    ...(sequenceAdapter.type !== REGIONS_ADAPTER && { sequenceAdapter }),
  };
  return { type: 'AlignmentsTrack', trackId: `reads/${id}`, name: id, adapter };
}

function toSession(assembly: Assembly, options: JBrowseConfigOptions): object {
  const tracks = tracksOf(assembly, options).slice(0, FIRST_TRACKS);
  const init = {
    assembly: assembly.name,
    loc: assembly.locus.replace(/-(?=\d+$)/, '..'),
    tracks: tracks.map(({ trackId }) => trackId),
  };
  return { name: 'htskit', views: [{ id: 'htskit', type: 'LinearGenomeView', init }] };
}

function toLocation(uri: string): object {
  return { uri, locationType: 'UriLocation' };
}
