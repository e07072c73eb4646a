import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createBcfRewriter, createVcfRewriter, parseBcfHeader, parseVcfHeader } from '@htskit/formats';
import { findCommand, outputOf, runCommand } from '../installed-command.mjs';
import { makeVcfLike } from '../vcf-like.mjs';
import { LEVEL, measureRewriting } from './measure-rewriting.mjs';

const BYTES = 20_000_000;
const LINE_FEED = 0x0a;
/** The keys of the generated records. */
const INFO = {
  AC: 'Integer',
  AF: 'Float',
  AN: 'Integer',
  BaseQRankSum: 'Float',
  DP: 'Integer',
  ExcessHet: 'Float',
  FS: 'Float',
  MLEAC: 'Integer',
  MLEAF: 'Float',
  MQ: 'Float',
  QD: 'Float',
  SOR: 'Float',
};
const FORMAT = { GT: 'String', AD: 'Integer', DP: 'Integer', GQ: 'Integer', PL: 'Integer' };
const SAMPLES = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'];

/** Returns rows for no keys, and one key left out, of VCF and of BCF, if bcftools is installed. */
export async function measureVariants(folder) {
  const bcftools = findCommand('bcftools');
  if (bcftools === undefined) return [];
  const rows = [];
  for (const file of await makeFiles(folder, bcftools)) {
    for (const { name, selection, keys } of rewritings()) {
      const args = ['annotate', '--no-version', '-x', keys.join(','), '-O', `${file.outputType}${LEVEL}`];
      const written = `${file.path}.annotated`;
      const readBack = (path) => outputOf(bcftools.command, ['view', '-H', path]);
      const peer = {
        name: `${bcftools.name} annotate -x`,
        command: bcftools.command,
        args: [...args, file.path],
        async expected() {
          await runCommand(bcftools.command, [...args, '-o', written, file.path]);
          return readBack(written);
        },
      };
      const createRewriter = () => file.createRewriter(selection);
      rows.push(await measureRewriting({ name: `${file.format}, ${name}`, file, createRewriter, readBack, peer }));
    }
  }
  return rows.flat();
}

function rewritings() {
  const all = [...Object.keys(INFO).map((key) => `INFO/${key}`), ...Object.keys(FORMAT).map((key) => `FORMAT/${key}`)];
  return [
    { name: 'no keys', selection: { tags: [] }, keys: all },
    { name: 'without DP', selection: { notags: ['DP'] }, keys: ['INFO/DP', 'FORMAT/DP'] },
  ];
}

/** Writes the same records as VCF and as BCF. */
export async function makeFiles(folder, { command }) {
  const records = makeVcfLike(BYTES);
  const data = Buffer.concat([vcfHeader(), records.subarray(0, records.lastIndexOf(LINE_FEED) + 1)]);
  const vcf = join(folder, 'variants.vcf.gz');
  writeFileSync(vcf, Buffer.concat([deflateBlocks(data), EOF_MARKER]));
  const bcf = join(folder, 'variants.bcf');
  await runCommand(command, ['view', '--no-version', '-Ob', '-o', bcf, vcf]);
  const encoded = await collect(outputOf(command, ['view', '--no-version', '-Ou', bcf]));
  const { byteLength, strings } = parseBcfHeader(encoded);
  return [
    {
      format: 'VCF',
      path: vcf,
      size: data.length,
      headerLength: parseVcfHeader(data).byteLength,
      outputType: 'z',
      createRewriter: (selection) => createVcfRewriter(selection),
    },
    {
      format: 'BCF',
      path: bcf,
      size: encoded.length,
      headerLength: byteLength,
      outputType: 'b',
      createRewriter: (selection) => createBcfRewriter(selection, strings),
    },
  ];
}

function vcfHeader() {
  const keyLines = (column, types) =>
    Object.entries(types).map(
      ([id, type]) => `##${column}=<ID=${id},Number=${numberOf(id)},Type=${type},Description="${id}">`,
    );
  const columns = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...SAMPLES];
  const contig = '##contig=<ID=chr1,length=248956422>';
  const lines = [
    '##fileformat=VCFv4.3',
    contig,
    ...keyLines('INFO', INFO),
    ...keyLines('FORMAT', FORMAT),
    columns.join('\t'),
  ];
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}

/** Returns values of a key: of each allele, of each genotype, or one. */
function numberOf(id) {
  return { AC: 'A', AF: 'A', MLEAC: 'A', MLEAF: 'A', AD: 'R', PL: 'G' }[id] ?? '1';
}

export async function collect(pieces) {
  const all = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
