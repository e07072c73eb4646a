import igv from 'igv';
import { token } from '../service.js';
import { type PopoverItem, popoverHtml } from './popover.js';

export interface IgvOptions {
  readonly datatype: 'reads' | 'variants';
  readonly id: string;
  /** The URL of the object's tickets, without a query. */
  readonly url: string;
  /** `NAME:FIRST-LAST`, 1-based. */
  readonly locus: string;
  /** The FASTA file of the reference, whose index is beside it. */
  readonly fasta: string;
  /** The bigWig file of the depth, if there is one. */
  readonly bigWig?: string | undefined;
}

/**
 * Opens igv.js in an element. Nothing but this server is requested, and what igv.js shows of data is text: the build of the page
 * changes igv.js where it has no option for that.
 */
export async function openIgv(
  target: HTMLElement,
  { datatype, id, url, locus, fasta, bigWig }: IgvOptions,
): Promise<void> {
  const oauthToken = token.get() === '' ? {} : { oauthToken: token.get() };
  const track = { ...oauthToken, sourceType: 'htsget', url, name: id };
  // Otherwise igv.js requests a list of genomes, and the places of names, elsewhere. Its declarations lack the options.
  const offline: object = { loadDefaultGenomes: false, search: false };
  const browser = await igv.createBrowser(target, {
    ...offline,
    reference: { id: 'reference', fastaURL: fasta, indexURL: `${fasta}.fai`, ...oauthToken },
    locus,
    tracks: [
      ...(bigWig === undefined
        ? []
        : [{ ...oauthToken, type: 'wig', format: 'bigwig', url: bigWig, name: 'depth' } as const]),
      datatype === 'reads'
        ? { ...track, type: 'alignment', format: 'bam' }
        : { ...track, type: 'variant', format: 'vcf' },
    ],
  });
  // The declared type of the items is that of an object, but igv.js passes a list.
  const listener = (_track: unknown, items?: unknown): string => popoverHtml((items ?? []) as readonly PopoverItem[]);
  browser.on('trackclick', listener);
}
