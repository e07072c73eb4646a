// Measures the selection of two of 2,504 samples.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import {
  createBcfRewriter,
  createVcfRewriter,
  parseBcfHeader,
  parseSampleHeader,
  parseVcfHeader,
  selectHeaderSamples,
} from '@htskit/formats';
import { encodeBcfHeader } from '@htskit/formats/internal';
import { findCommand, outputOf, runCommand } from '../installed-command.mjs';
import { createRandom } from '../random.mjs';
import { LEVEL, measureRewriting } from './measure-rewriting.mjs';
import { collect } from './variants.mjs';

const SAMPLES = Array.from({ length: 2504 }, (_, index) => `sample${index}`);
const KEPT = [700, 1900];
/** Sites with GT alone, and with the keys of a variant caller. */
const SITES = [
  ['GT', 5000],
  ['GT:AD:DP:GQ:PL', 800],
];

/** Returns rows of VCF and BCF, if bcftools is installed. */
export async function measureSamples(folder) {
  const bcftools = findCommand('bcftools');
  if (bcftools === undefined) return [];
  const rows = [];
  for (const [keys, sites] of SITES) {
    for (const file of await makeFiles(folder, { keys, sites, command: bcftools.command })) {
      const args = [
        'view',
        '--no-version',
        '-s',
        KEPT.map((index) => SAMPLES[index]).join(),
        '-O',
        `${file.outputType}${LEVEL}`,
      ];
      const written = `${file.path}.selected`;
      const readBack = (path) => outputOf(bcftools.command, ['view', '-H', path]);
      const peer = {
        name: `${bcftools.name} view -s`,
        command: bcftools.command,
        args: [...args, file.path],
        budget: file.format === 'BCF' ? 1 : 0.7,
        async expected() {
          await runCommand(bcftools.command, [...args, '-o', written, file.path]);
          return readBack(written);
        },
      };
      const name = `${file.format}, 2 of 2,504 samples, ${keys}`;
      rows.push(await measureRewriting({ name, file, createRewriter: file.createRewriter, readBack, peer }));
    }
  }
  return rows.flat();
}

/** Writes the same records as VCF and as BCF. */
async function makeFiles(folder, { keys, sites, command }) {
  const data = Buffer.from(vcfText(keys, sites), 'latin1');
  const vcf = join(folder, `${keys.length}.vcf.gz`);
  writeFileSync(vcf, Buffer.concat([deflateBlocks(data), EOF_MARKER]));
  const bcf = join(folder, `${keys.length}.bcf`);
  await runCommand(command, ['view', '--no-version', '-Ob', '-o', bcf, vcf]);
  const encoded = await collect(outputOf(command, ['view', '--no-version', '-Ou', bcf]));
  const [vcfHeader, bcfHeader] = [parseVcfHeader(data), parseBcfHeader(encoded)];
  const { aggregates } = parseSampleHeader(vcfHeader.text);
  const selection = { subset: { samples: KEPT, aggregates } };
  const headerOf = ({ text }) => selectHeaderSamples(text, { samples: KEPT });
  return [
    {
      format: 'VCF',
      path: vcf,
      size: data.length,
      headerLength: vcfHeader.byteLength,
      newHeader: Buffer.from(headerOf(vcfHeader), 'latin1'),
      outputType: 'z',
      createRewriter: () => createVcfRewriter(selection),
    },
    {
      format: 'BCF',
      path: bcf,
      size: encoded.length,
      headerLength: bcfHeader.byteLength,
      newHeader: encodeBcfHeader(headerOf(bcfHeader)),
      outputType: 'b',
      createRewriter: () => createBcfRewriter(selection, bcfHeader.strings),
    },
  ];
}

const HEADER = [
  '##fileformat=VCFv4.3',
  '##contig=<ID=chr1,length=248956422>',
  '##INFO=<ID=AC,Number=A,Type=Integer,Description="AC">',
  '##INFO=<ID=AN,Number=1,Type=Integer,Description="AN">',
  '##INFO=<ID=DP,Number=1,Type=Integer,Description="DP">',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="GT">',
  '##FORMAT=<ID=AD,Number=R,Type=Integer,Description="AD">',
  '##FORMAT=<ID=DP,Number=1,Type=Integer,Description="DP">',
  '##FORMAT=<ID=GQ,Number=1,Type=Integer,Description="GQ">',
  '##FORMAT=<ID=PL,Number=G,Type=Integer,Description="PL">',
  ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...SAMPLES].join('\t'),
];

function vcfText(keys, sites) {
  const random = createRandom(sites);
  const lines = Array.from({ length: sites }, (_, site) => {
    const frequency = 2 ** 32 * (random() / 2 ** 32) ** 3;
    const samples = SAMPLES.map(() => makeSample({ keys, frequency, random }));
    const info = `AC=${random() % 100};AN=5008;DP=${random() % 100_000}`;
    return ['chr1', 10_000 + 100 * site, '.', 'A', 'G', '50', 'PASS', info, keys, ...samples].join('\t');
  });
  return `${[...HEADER, ...lines].join('\n')}\n`;
}

function makeSample({ keys, frequency, random }) {
  const draw = () => (random() < frequency ? 1 : 0);
  const genotype = `${draw()}${random() % 3 === 0 ? '|' : '/'}${draw()}`;
  if (keys === 'GT') return genotype;
  const depth = 20 + (random() % 20);
  return `${genotype}:${depth},${random() % 20}:${depth}:${random() % 100}:0,${random() % 100},${random() % 1000}`;
}
