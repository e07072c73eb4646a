import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runTools, type ToolCommand } from '../interop-tools.js';

/** Markup that leaves an attribute in quotes and creates an element, if anything takes it for HTML. */
export const CANARY = `'"><b/class=canary>x</b>`;
/** The same for names that must not hold a closing bracket: what igv.js writes after them closes the tag. */
const OPEN_CANARY = `'"/><b/class=canary/x`;

/** The reference that the records of every file are on. Its name is hostile too. */
const HOSTILE_NAME = `<b/class=canary>`;
const REFERENCES = ['chr1', HOSTILE_NAME] as const;
const BASES = 'ACGTTGCA'.repeat(125);
/** Two of eight bases differ from the reference, so that a click on a read or on its coverage can find a mismatch. */
const READ = BASES.replaceAll('AC', 'GC').replaceAll('TG', 'AG');

/** The names of the objects that `writeHostileFiles` writes, and the formats that they are stored in. */
export const HOSTILE_OBJECTS = [
  { datatype: 'reads', id: 'alignments', extension: '.bam' },
  { datatype: 'reads', id: 'compressed', extension: '.cram' },
  { datatype: 'variants', id: 'calls', extension: '.vcf.gz' },
  { datatype: 'variants', id: 'binary', extension: '.bcf' },
  // The slash of the closing tag would separate folders.
  { datatype: 'reads', id: `cohort'"><b class=canary>x`, extension: '.bam' },
] as const;

/** The id of the VCF whose lines are a script. */
export const SCRIPT_ID = 'script';

/**
 * Writes a VCF that is a script: the text of a block without its header is JavaScript, which takes the token of the page to a
 * path of its own and leaves it in the outermost window.
 */
export async function writeScriptVcf(folder: string): Promise<void> {
  const script = [
    'top.hasRun=1',
    'top.stolen=top.sessionStorage.getItem("htskit-token")||"nothing"',
    'fetch("/stolen?"+top.stolen)',
    'new/**/Image().src="/stolen?"+top.stolen',
  ].join(';');
  const header = [
    '##fileformat=VCFv4.3',
    '##contig=<ID=1/*,length=1000>',
    '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO',
  ];
  const record = `1/*\t100\t.\tA\tC\t.\t.\t*/;${script}//`;
  await writeVcf(join(folder, `${SCRIPT_ID}.vcf`), [...header, record], 'vcf');
}

/** Writes files of every format with hostile texts in every field that holds text. `exploit` is markup for the long ones. */
export async function writeHostileFiles(folder: string, exploit: string): Promise<void> {
  const genome = join(folder, 'genome.fa');
  writeFileSync(genome, REFERENCES.map((name) => `>${name}\n${BASES}\n`).join(''));
  const sam = join(folder, 'reads.sam');
  writeFileSync(sam, samOf(exploit));
  const bams = HOSTILE_OBJECTS.filter(({ extension }) => extension === '.bam').map(({ id }) =>
    join(folder, `${id}.bam`),
  );
  for (const bam of bams) mkdirSync(dirname(bam), { recursive: true });
  const cram = join(folder, 'compressed.cram');
  await run([['samtools', 'faidx', genome]]);
  await run([
    ...bams.map((bam) => ['samtools', 'view', '-b', '-o', bam, sam]),
    ['samtools', 'view', '-C', '-T', genome, '-o', cram, sam],
  ]);
  await run([...bams, cram].map((file) => ['samtools', 'index', file]));
  rmSync(sam);
  await writeVcf(join(folder, 'calls.vcf'), vcfOf(exploit, { ids: [OPEN_CANARY, 'PLAIN'] }), 'vcf');
  // htslib refuses such names, but not such values.
  await writeVcf(join(folder, 'binary.vcf'), vcfOf(exploit, { ids: ['PLAIN'] }), 'bcf');
}

function samOf(exploit: string): string {
  const header = [
    '@HD\tVN:1.6\tSO:coordinate',
    ...REFERENCES.map((name) => `@SQ\tSN:${name}\tLN:${BASES.length}\tAN:${CANARY}\tSP:${CANARY}`),
    `@RG\tID:${CANARY}\tSM:${CANARY}\tPL:${CANARY}\tLB:${CANARY}\tDS:${exploit}`,
    `@PG\tID:${CANARY}\tPN:${CANARY}\tCL:${exploit}`,
    `@CO\t${exploit}`,
  ];
  const tags = [
    `RG:Z:${CANARY}`,
    `XX:Z:${exploit}`,
    `BC:Z:${CANARY}`,
    `CO:Z:${CANARY}`,
    `SA:Z:${HOSTILE_NAME},1,+,10M,60,0;${CANARY},1,+,${CANARY},60,0;`,
    'XA:A:<',
    'XB:B:c,1,2',
  ];
  const lines = REFERENCES.flatMap((name) =>
    Array.from({ length: 8 }, (_, index) =>
      [
        `${CANARY}${index}`,
        index % 2 === 0 ? 99 : 147,
        name,
        1 + index,
        60,
        `${READ.length - 10}M`,
        HOSTILE_NAME,
        1,
        500,
      ]
        .concat([READ.slice(index, index + READ.length - 10), '<'.repeat(READ.length - 10), ...tags])
        .join('\t'),
    ),
  );
  return `${[...header, ...lines].join('\n')}\n`;
}

function vcfOf(exploit: string, { ids }: { readonly ids: readonly string[] }): string[] {
  const references = ids.length > 1 ? REFERENCES : ['chr1'];
  const declarations = ids.flatMap((id) => [
    `##FILTER=<ID=${id},Description="${CANARY}">`,
    `##INFO=<ID=${id},Number=1,Type=String,Description="${CANARY}">`,
    `##FORMAT=<ID=${id},Number=1,Type=String,Description="${CANARY}">`,
  ]);
  const samples = [CANARY, `${CANARY}2`];
  const info = ids.map((id) => `${id}=${encodeInfo(exploit)}`).join(';');
  const call = `0/1:${ids.map(() => encodeInfo(exploit).replaceAll(':', '%3A')).join(':')}`;
  return [
    '##fileformat=VCFv4.3',
    `##source=${exploit}`,
    ...references.map((name) => `##contig=<ID=${name},length=${BASES.length}>`),
    ...declarations,
    '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
    ['#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT', ...samples].join('\t'),
    ...references.flatMap((name) =>
      [100, 400, 700].map((position) =>
        [
          name,
          position,
          CANARY,
          'A'.repeat(200),
          `<${CANARY}`,
          5,
          ids[0],
          info,
          ['GT', ...ids].join(':'),
          call,
          call,
        ].join('\t'),
      ),
    ),
  ];
}

/** INFO and FORMAT values hold no spaces, semicolons, commas or equals signs (VCFv4.3 §1.2): igv.js decodes them. */
function encodeInfo(value: string): string {
  return value.replace(/[%;,= ]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

async function writeVcf(path: string, vcfLines: readonly string[], format: 'vcf' | 'bcf'): Promise<void> {
  writeFileSync(path, `${vcfLines.join('\n')}\n`);
  const bcf = path.replace(/vcf$/, 'bcf');
  if (format === 'vcf') await run([['bgzip', '-f', path]]);
  if (format === 'vcf') await run([['tabix', '-p', 'vcf', `${path}.gz`]]);
  if (format === 'bcf') await run([['bcftools', 'view', '-Ob', '-o', bcf, path]]);
  if (format === 'bcf') await run([['bcftools', 'index', bcf]]);
  rmSync(path, { force: true });
}

async function run(commands: readonly ToolCommand[]): Promise<void> {
  await runTools(commands);
}
