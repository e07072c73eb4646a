import { Random } from '../../fixtures/generator/random.mjs';
import { LENGTH } from './chromosome.mjs';

/** Bases between variants on average, the share that are short insertions or deletions, and a deletion that the mother passes on. */
const [SPACING, INDEL_SHARE] = [420, 0.14];
const DELETION = { start: 28_000, length: 640 };

/**
 * Creates variants and the two haplotypes of a mother, a father and their child, as sets of the variants' indexes. The child has one
 * haplotype of each parent, and one variant of its own.
 */
export function createFamily(bases) {
  const random = new Random(7_002);
  const variants = createVariants(bases, random);
  const own = variants.find(({ at, ref, alt }) => at > 34_100 && ref.length === 1 && alt.length === 1);
  const draw = (isForced) =>
    new Set(
      variants.flatMap((variant, index) =>
        variant === own ? [] : isForced(variant) || random.chance(0.33) ? [index] : [],
      ),
    );
  const isDeletion = ({ symbol }) => symbol !== undefined;
  const never = () => false;
  const without = (haplotype) => new Set([...haplotype].filter((index) => !isDeletion(variants[index])));
  const mother = [draw(isDeletion), without(draw(never))];
  const father = [without(draw(never)), without(draw(never))];
  const child = [mother[0], new Set([...father[1], variants.indexOf(own)])];
  return {
    variants,
    members: [
      { name: 'child', haplotypes: child },
      { name: 'mother', haplotypes: mother },
      { name: 'father', haplotypes: father },
    ],
  };
}

function createVariants(bases, random) {
  const variants = [];
  for (let at = 700; at < LENGTH - 700; at += random.int(SPACING / 4, SPACING * 1.75)) {
    if (at > DELETION.start - 300 && at < DELETION.start + DELETION.length + 300) continue;
    const ref = bases[at];
    if (!random.chance(INDEL_SHARE)) variants.push({ at, ref, alt: substitute(ref, random) });
    else if (random.chance(0.5)) variants.push({ at, ref, alt: ref + random.text(random.int(1, 7)) });
    else variants.push({ at, ref: bases.slice(at, at + random.int(2, 8)), alt: ref });
  }
  variants.push({
    at: DELETION.start,
    ref: bases[DELETION.start],
    alt: '<DEL>',
    symbol: 'DEL',
    length: DELETION.length,
  });
  return variants.sort((a, b) => a.at - b.at);
}

/** Transitions are twice as common as transversions. */
function substitute(base, random) {
  const transition = { A: 'G', G: 'A', C: 'T', T: 'C' }[base];
  if (random.chance(0.67)) return transition;
  return random.pick([...'ACGT'].filter((other) => other !== base && other !== transition));
}
