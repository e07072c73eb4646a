import { objectPath, type ServedGenome, type ShownObject } from './served-genomes.js';

/** Bases of a view up to which igv.js requests variants. */
const VARIANT_WINDOW = 1_000_000;

export interface IgvSessionOptions {
  /** The URL at which clients reach the server. */
  readonly publicUrl: string;
  /** The program that reads the session. */
  readonly reader: 'igv.js' | 'desktop';
}

/** Returns the session of igv.js that shows the objects of a genome. IGV on desktops reads such sessions, too. */
export function toIgvSession({ digest, objects, locus }: ServedGenome, options: IgvSessionOptions): object {
  const { publicUrl } = options;
  const fastaURL = `${publicUrl}/collection/${digest}/fasta`;
  const reference = { id: digest, name: digest, fastaURL, indexURL: `${fastaURL}.fai` };
  const tracks = objects.flatMap((object) => [...depthTrack(object, publicUrl), recordsTrack(object, options)]);
  return { reference, locus, tracks };
}

function depthTrack({ id, hasDepth }: ShownObject, publicUrl: string): readonly object[] {
  if (!hasDepth) return [];
  const url = `${publicUrl}${objectPath('coverage', id)}.bw`;
  return [{ type: 'wig', format: 'bigwig', name: `${id} depth`, url, autoscale: true }];
}

function recordsTrack({ datatype, id }: ShownObject, { publicUrl, reader }: IgvSessionOptions): object {
  // On desktops, the scheme alone says that a URL is that of a ticket. They try https and then http for it, and igv.js https alone.
  const base = reader === 'desktop' ? publicUrl.replace(/^https?:/, 'htsget:') : publicUrl;
  const shared = { sourceType: 'htsget', name: id, url: `${base}${objectPath(datatype, id)}` };
  return datatype === 'reads'
    ? { type: 'alignment', format: 'bam', ...shared }
    : { type: 'variant', format: 'vcf', visibilityWindow: VARIANT_WINDOW, ...shared };
}
