import { makeBamLike } from '../bam-like.mjs';
import { makeFastaLike } from '../fasta-like.mjs';
import { makeVcfLike } from '../vcf-like.mjs';

/** Functions that generate the given number of bytes of each kind of content that BGZF files have. */
export const KINDS = { BAM: makeBamLike, VCF: makeVcfLike, FASTA: makeFastaLike };
