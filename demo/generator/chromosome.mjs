import { Random } from '../../fixtures/generator/random.mjs';

/** The name and the length of the chromosome. */
export const NAME = 'chr1';
export const LENGTH = 60_000;

/** A repeat that occurs in many places, each time with other substitutions, and how often. */
const [REPEAT_LENGTH, REPEATS, REPEAT_DIVERGENCE] = [280, 14, 0.12];
const ISLAND_LENGTH = 700;

/**
 * Creates bases that look like those of a mammal: the share of G and C changes along the chromosome, CG is rare except for islands
 * before genes, short motifs are repeated, and copies of one long repeat are spread. Exons have a start, a stop and splice sites.
 */
export function createChromosome(genes) {
  const random = new Random(7_001);
  const bases = createBackground(
    random,
    genes.map(({ start }) => start - ISLAND_LENGTH),
  );
  addRepeats(bases, random);
  for (const gene of genes) addSignals(bases, gene);
  return bases.join('');
}

function createBackground(random, islands) {
  const bases = [];
  for (let at = 0; at < LENGTH; at++) {
    const isIsland = islands.some((start) => at >= start && at < start + ISLAND_LENGTH);
    const share = isIsland ? 0.66 : 0.41 + 0.07 * Math.sin(at / 4300) + 0.04 * Math.sin(at / 900);
    let base = random.chance(share) ? random.pick('GC') : random.pick('AT');
    // Methylated C of CG mutates to T.
    if (base === 'G' && bases[at - 1] === 'C' && !isIsland && random.chance(0.75)) base = 'A';
    bases.push(base);
  }
  return bases;
}

function addRepeats(bases, random) {
  const repeat = random.text(REPEAT_LENGTH, 'GGCCAATGCA');
  for (let copy = 0; copy < REPEATS; copy++) {
    const start = 1500 + Math.floor((copy * (LENGTH - 3000)) / REPEATS) + random.int(0, 1500);
    for (let i = 0; i < REPEAT_LENGTH; i++) {
      if (!random.chance(REPEAT_DIVERGENCE)) bases[start + i] = repeat[i];
    }
  }
  for (let motifs = 0; motifs < 24; motifs++) {
    const motif = random.pick(['CA', 'AT', 'GAA', 'A', 'AAAT', 'TG']);
    const start = random.int(0, LENGTH - 100);
    const length = random.int(12, 34);
    for (let i = 0; i < length; i++) bases[start + i] = motif[i % motif.length];
  }
}

/** Writes start and stop codons and the ends of introns. Genes of the reverse strand have their complement. */
function addSignals(bases, { exons, strand, coding }) {
  const put = (at, text) => {
    for (const [i, base] of [...text].entries()) bases[at + i] = base;
  };
  const isForward = strand === '+';
  for (const [index, [start, end]] of exons.entries()) {
    if (index > 0) put(start - 2, isForward ? 'AG' : 'AC');
    if (index < exons.length - 1) put(end, isForward ? 'GT' : 'CT');
  }
  put(coding[0], isForward ? 'ATG' : 'TTA');
  put(coding[1] - 3, isForward ? 'TAA' : 'CAT');
}
