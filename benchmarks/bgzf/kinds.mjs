import { makeBamLike } from '../bam-like.mjs';
import { makeFastaLike } from '../fasta-like.mjs';
import { makeVcfLike } from '../vcf-like.mjs';

/** What BGZF files have in them: functions that make so many bytes of it. */
export const KINDS = { BAM: makeBamLike, VCF: makeVcfLike, FASTA: makeFastaLike };
