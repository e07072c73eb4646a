import { objectPath, type ServedGenome, type ShownObject } from './served-genomes.js';

/** Bases of a view up to which igv.js requests variants. */
const VARIANT_WINDOW = 1_000_000;

/** Returns the session of igv.js that shows the objects of a genome. */
export function toIgvSession({ digest, objects, locus }: ServedGenome, publicUrl: string): object {
  const fastaURL = `${publicUrl}/collection/${digest}/fasta`;
  const reference = { id: digest, name: digest, fastaURL, indexURL: `${fastaURL}.fai` };
  const tracks = objects.flatMap((object) => [...depthTrack(object, publicUrl), recordsTrack(object, publicUrl)]);
  return { reference, locus, tracks };
}

function depthTrack({ id, hasDepth }: ShownObject, publicUrl: string): readonly object[] {
  if (!hasDepth) return [];
  const url = `${publicUrl}${objectPath('coverage', id)}.bw`;
  return [{ type: 'wig', format: 'bigwig', name: `${id} depth`, url, autoscale: true }];
}

function recordsTrack({ datatype, id }: ShownObject, publicUrl: string): object {
  const shared = { sourceType: 'htsget', name: id, url: `${publicUrl}${objectPath(datatype, id)}` };
  return datatype === 'reads'
    ? { type: 'alignment', format: 'bam', ...shared }
    : { type: 'variant', format: 'vcf', visibilityWindow: VARIANT_WINDOW, ...shared };
}
