import { Random } from '../../fixtures/generator/random.mjs';
import { LENGTH, NAME } from './chromosome.mjs';

/** Reads are pairs of 101 bases, at a depth of about 21. */
const [READ_LENGTH, DEPTH, INSERT, INSERT_SPREAD] = [101, 21, 360, 55];
const [ERROR_RATE, DUPLICATE_RATE, UNMAPPED_RATE] = [0.0025, 0.03, 0.004];
/** An aligner clips the end of a read that has so few bases after a gap. */
const LEAST_ANCHOR = 30;
/** Qualities as recent instruments write them: in four bins. */
const [HIGH, MIDDLE, LOW, LEAST] = ['F', ':', ',', '#'];

/** Simulates the reads of a sample. Returns SAM, unsorted, and the number of reads with each allele of each variant. */
export function sequence({ name, haplotypes, bases, variants }) {
  const random = new Random(7_010 + name.length * 31 + name.charCodeAt(0));
  const alleles = variants.map(() => [0, 0]);
  const templates = haplotypes.map((haplotype) => createTemplate(bases, variants, haplotype));
  const header = [
    '@HD\tVN:1.6\tSO:unsorted',
    `@SQ\tSN:${NAME}\tLN:${LENGTH}\tAS:demo`,
    `@RG\tID:${name}.1\tSM:${name}\tLB:${name}\tPL:ILLUMINA`,
  ];
  const lines = [];
  const pairs = Math.round((LENGTH * DEPTH) / (2 * READ_LENGTH));
  for (let pair = 0; pair < pairs; pair++) {
    const template = templates[random.int(0, 2)];
    const insert = Math.max(READ_LENGTH + 20, INSERT + Math.round((random.int(-100, 101) / 100) * INSERT_SPREAD * 1.7));
    const start = random.int(0, template.length - insert);
    // Fragments with much or little G and C are rarer.
    if (isLost(template, start, insert, random)) continue;
    const qname = `${name}:${1 + random.int(0, 4)}:${1101 + random.int(0, 900)}:${pair}`;
    const ends = [start, start + insert - READ_LENGTH].map((at) => readAt(template, at, random));
    for (const end of ends) countAlleles(end, variants, alleles);
    lines.push(...formatPair({ qname, name, ends, random }));
  }
  return { sam: `${[...header, ...lines].join('\n')}\n`, alleles };
}

/** Returns the bases of a haplotype, each with its place on the reference: undefined for inserted ones. */
function createTemplate(bases, variants, haplotype) {
  const template = [];
  let at = 0;
  const copyTo = (end) => {
    for (; at < end; at++) template.push({ base: bases[at], at, variant: undefined });
  };
  for (const [index, variant] of variants.entries()) {
    if (variant.at < at) continue;
    copyTo(variant.at);
    const isAlternate = haplotype.has(index);
    const { ref, alt, symbol, length = 0 } = variant;
    const shown = isAlternate && symbol === undefined ? alt : ref;
    template.push({ base: shown[0], at, variant: index, isAlternate });
    for (const base of shown.slice(1)) {
      const place = shown === ref ? template.at(-1).at + 1 : undefined;
      template.push({ base, at: place, variant: undefined });
    }
    at = variant.at + ref.length + (isAlternate ? length : 0);
  }
  copyTo(LENGTH);
  return template;
}

function isLost(template, start, insert, random) {
  let count = 0;
  for (let i = start; i < start + insert; i += 4) if ('GC'.includes(template[i].base)) count++;
  return random.chance(Math.min(0.8, Math.abs((4 * count) / insert - 0.43) * 3));
}

/** Reads bases of a template, with errors that grow towards the end. */
function readAt(template, start, random) {
  const letters = template.slice(start, start + READ_LENGTH);
  const read = letters.map(({ base }, index) => {
    const rate = ERROR_RATE * (0.4 + (1.8 * index) / READ_LENGTH);
    return random.chance(rate) ? { base: random.pick('ACGT'), isError: true } : { base, isError: false };
  });
  const quality = read.map(({ isError }, index) => {
    if (isError) return random.chance(0.5) ? LEAST : LOW;
    if (random.chance(0.02 + 0.06 * (index / READ_LENGTH) ** 3)) return random.pick([MIDDLE, LOW]);
    return HIGH;
  });
  return { letters, bases: read.map(({ base }) => base).join(''), quality: quality.join(''), ...align(letters) };
}

/** Returns the place and the CIGAR of letters of a template. Ends after a long gap are clipped. */
function align(letters) {
  const placed = letters.map(({ at }) => at);
  let [first, last] = [placed.findIndex((at) => at !== undefined), placed.findLastIndex((at) => at !== undefined)];
  const gap = placed.findIndex(
    (at, index) => index > 0 && at !== undefined && placed[index - 1] !== undefined && at - placed[index - 1] > 20,
  );
  if (gap !== -1) {
    if (gap <= placed.length / 2) first = gap;
    else last = gap - 1;
  }
  const operations = [];
  const add = (type, length) => {
    if (length === 0) return;
    if (operations.at(-1)?.type === type) operations.at(-1).length += length;
    else operations.push({ type, length });
  };
  add('S', first);
  for (let index = first; index <= last; index++) {
    const before = placed.slice(first, index).findLast((at) => at !== undefined);
    if (placed[index] !== undefined && before !== undefined) add('D', placed[index] - before - 1);
    add(placed[index] === undefined ? 'I' : 'M', 1);
  }
  add('S', letters.length - 1 - last);
  const isLong = last - first + 1 >= LEAST_ANCHOR;
  return {
    start: placed[first],
    end: placed[last] + 1,
    cigar: operations.map(({ type, length }) => `${length}${type}`).join(''),
    isLong,
  };
}

function countAlleles({ letters }, variants, alleles) {
  for (const { variant, isAlternate } of letters) {
    if (variant !== undefined && variants[variant] !== undefined) alleles[variant][isAlternate ? 1 : 0]++;
  }
}

/** Formats the two ends of a fragment, in either order, now and then with a duplicate. */
function formatPair({ qname, name, ends: [left, right], random }) {
  const isFirstLeft = random.chance(0.5);
  const isUnmapped = random.chance(UNMAPPED_RATE);
  const quality = left.isLong && right.isLong ? (random.chance(0.05) ? random.int(0, 40) : 60) : 20;
  const template = right.end - left.start;
  const tags = [`RG:Z:${name}.1`];
  const line = (end, mate, flag, { suffix = '' } = {}) =>
    [
      qname + suffix,
      flag,
      NAME,
      end.start + 1,
      flag & 0x4 ? 0 : quality,
      flag & 0x4 ? '*' : end.cigar,
      '=',
      mate.start + 1,
      isUnmapped ? 0 : end === left ? template : -template,
      end.bases,
      end.quality,
      ...tags,
    ].join('\t');
  const [leftFlag, rightFlag] = isFirstLeft ? [0x40, 0x80] : [0x80, 0x40];
  if (isUnmapped) {
    const lost = { ...right, start: left.start };
    return [line(left, lost, 0x1 | 0x8 | leftFlag), line(lost, left, 0x1 | 0x4 | rightFlag)];
  }
  const pair = (more, options) => [
    line(left, right, 0x1 | 0x2 | 0x20 | leftFlag | more, options),
    line(right, left, 0x1 | 0x2 | 0x10 | rightFlag | more, options),
  ];
  return random.chance(DUPLICATE_RATE) ? [...pair(0), ...pair(0x400, { suffix: ':d' })] : pair(0);
}
