// Genotypes of 1,000 samples, as VCF with one and with five FORMAT keys, and as BCF.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { indexVcf } from '@htskit/indexes';
import { runCommand } from '../../installed-command.mjs';
import { createRandom } from '../../random.mjs';

const SAMPLES = 1000;
/** Sites at scale 1. */
const SITES = 1250;
const FORMAT = {
  GT: ['1', 'String'],
  AD: ['R', 'Integer'],
  DP: ['1', 'Integer'],
  GQ: ['1', 'Integer'],
  PL: ['G', 'Integer'],
};

/** Writes the files. Returns their paths and the number of genotypes. BCF needs `bcftools`. */
export async function writeVariants(folder, { scale, bcftools }) {
  const sites = SITES * scale;
  const paths = { genotypes: join(folder, 'gt.vcf.gz'), fiveKeys: join(folder, 'five.vcf.gz') };
  await writeVcf(paths.genotypes, sites, ['GT']);
  await writeVcf(paths.fiveKeys, sites, Object.keys(FORMAT));
  if (bcftools !== undefined) {
    paths.bcf = join(folder, 'gt.bcf');
    await runCommand(bcftools.command, ['view', '--no-version', '-Ob', '-o', paths.bcf, paths.genotypes]);
    await runCommand(bcftools.command, ['index', paths.bcf]);
  }
  return { paths, count: sites * SAMPLES };
}

async function writeVcf(path, sites, keys) {
  const random = createRandom(keys.length);
  const lines = [headerText(keys)];
  let position = 1000;
  for (let site = 0; site < sites; site += 1) {
    position += 1 + (random() % 1500);
    lines.push(makeLine(position, { keys, random }));
  }
  const bytes = Buffer.concat([deflateBlocks(Buffer.from(lines.join(''), 'latin1')), EOF_MARKER]);
  writeFileSync(path, bytes);
  writeFileSync(`${path}.tbi`, await indexVcf([bytes]));
}

function headerText(keys) {
  const lines = keys.map(
    (key) => `##FORMAT=<ID=${key},Number=${FORMAT[key][0]},Type=${FORMAT[key][1]},Description="${key}">`,
  );
  const samples = Array.from({ length: SAMPLES }, (_, index) => `sample${index}`);
  const columns = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...samples];
  return `${['##fileformat=VCFv4.3', '##contig=<ID=chr1,length=20000000>', ...lines, columns.join('\t')].join('\n')}\n`;
}

function makeLine(position, { keys, random }) {
  const frequency = 2 ** 32 * (random() / 2 ** 32) ** 3;
  const samples = Array.from({ length: SAMPLES }, () => makeSample({ keys, frequency, random }));
  return `${['chr1', position, '.', 'A', 'G', '50', 'PASS', '.', keys.join(':'), ...samples].join('\t')}\n`;
}

/** One of a hundred genotypes is missing, and one of three is phased. */
function makeSample({ keys, frequency, random }) {
  const draw = () => (random() < frequency ? 1 : 0);
  const [first, second] = [draw(), draw()];
  const genotype = random() % 100 === 0 ? './.' : `${first}${random() % 3 === 0 ? '|' : '/'}${second}`;
  if (keys.length === 1) return genotype;
  const depth = 20 + (random() % 20);
  const alternative = Math.round((depth * (first + second)) / 2);
  return `${genotype}:${depth - alternative},${alternative}:${depth}:${random() % 100}:0,${random() % 100},${random() % 1000}`;
}
