import { createRandom } from './random.mjs';

const SAMPLES = 8;
const BASES = 'ACGT';

/**
 * Returns `length` bytes that compress like the lines of a joint-called VCF of eight samples, about 4.4-fold: INFO of a
 * variant caller, and genotypes with their depths, qualities and likelihoods (VCFv4.3 §1.6).
 */
export function makeVcfLike(length, seed = 1) {
  const random = createRandom(seed);
  const lines = [];
  let position = 10_000;
  for (let written = 0; written < length; ) {
    position += 1 + (random() % 200);
    const line = makeLine(position, random);
    lines.push(line);
    written += line.length;
  }
  return Buffer.from(lines.join(''), 'latin1').subarray(0, length);
}

function makeLine(position, random) {
  // Most variants are rare: the allele frequency is a random fraction squared.
  const frequency = (random() / 2 ** 32) ** 3;
  const samples = Array.from({ length: SAMPLES }, () => makeSample(frequency, random));
  const alleles = samples.reduce((sum, sample) => sum + sample.alleles, 0) || 1;
  const depth = samples.reduce((sum, sample) => sum + sample.depth, 0);
  const reference = BASES[random() >>> 30];
  const alternative = random() % 12 === 0 ? reference + BASES[random() >>> 30] : BASES[random() >>> 30];
  const id = random() % 3 === 0 ? `rs${random() % 100_000_000}` : '.';
  const quality = (30 + alleles * (200 + (random() % 300)) + (random() % 100) / 100).toFixed(2);
  const info = makeInfo({ alleles, depth, random });
  const columns = ['chr1', position, id, reference, alternative, quality, 'PASS', info, 'GT:AD:DP:GQ:PL'];
  return `${[...columns, ...samples.map(({ text }) => text)].join('\t')}\n`;
}

function makeInfo({ alleles, depth, random }) {
  const chromosomes = 2 * SAMPLES;
  const rankSum = ((random() % 4000) / 1000 - 2).toFixed(3);
  return [
    `AC=${alleles}`,
    `AF=${(alleles / chromosomes).toFixed(3)}`,
    `AN=${chromosomes}`,
    `BaseQRankSum=${rankSum}`,
    `DP=${depth}`,
    `ExcessHet=${(3 + (random() % 4) / 10).toFixed(4)}`,
    `FS=${random() % 2 === 0 ? '0.000' : ((random() % 9000) / 1000).toFixed(3)}`,
    `MLEAC=${alleles}`,
    `MLEAF=${(alleles / chromosomes).toFixed(3)}`,
    `MQ=${random() % 4 === 0 ? (50 + (random() % 1000) / 100).toFixed(2) : '60.00'}`,
    `QD=${(10 + (random() % 2000) / 100).toFixed(2)}`,
    `SOR=${((random() % 2000) / 1000).toFixed(3)}`,
  ].join(';');
}

function makeSample(frequency, random) {
  const draw = () => (random() / 2 ** 32 < frequency ? 1 : 0);
  const alleles = draw() + draw();
  const depth = 20 + (random() % 12) + (random() % 12);
  const alternative = alleles === 1 ? (depth >> 1) - 3 + (random() % 7) : alleles === 0 ? 0 : depth;
  // Returns Phred-scaled likelihoods of the homozygous genotypes and of the others.
  const [near, far] = [(depth * (270 + (random() % 40))) / 100, depth * (30 + (random() % 15))].map(Math.round);
  const [genotype, likelihoods] = [
    ['0/0', `0,${near},${far}`],
    ['0/1', `${far},0,${far + (random() % 300)}`],
    ['1/1', `${far},${near},0`],
  ][alleles];
  const text = `${genotype}:${depth - alternative},${alternative}:${depth}:${Math.min(99, near)}:${likelihoods}`;
  return { alleles, depth, text };
}
