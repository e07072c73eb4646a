import { readFileSync } from 'node:fs';

const FILES = [
  'straddle.bam',
  'straddle.bam.bai',
  'extra-subfield.bam',
  'longref.bam',
  'longref.bam.csi',
  'variants.vcf.gz',
  'variants.vcf.gz.tbi',
  'variants.bcf',
  'variants.bcf.csi',
  'multiref.cram',
  'multiref.cram.crai',
  'v21.cram',
  'v31.cram',
  'genome.fa.gz',
  'genome.fa.gz.fai',
  'genome.fa.gz.gzi',
];
const EXPECTED = [
  'straddle.bam',
  'extra-subfield.bam',
  'longref.bam',
  'variants.vcf.gz',
  'variants.bcf',
  'genome.fa.gz',
];

const fixtures = new URL('../fixtures/', import.meta.url);

/** Returns the source of a module that holds fixtures, so that the suite opens no file. */
export function toFixturesModule() {
  const files = FILES.map((name) => `  '${name}': decode('${readFileSync(new URL(name, fixtures), 'base64')}'),`);
  const expected = EXPECTED.map((name) => {
    const json = readFileSync(new URL(`expected/${name}.json`, fixtures), 'utf8');
    return `  '${name}': ${json.trim()},`;
  });
  return `const decode = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The bytes of files of fixtures/. */
export const files = {
${files.join('\n')}
};

/** The facts that fixtures/expected states about them. */
export const expected = {
${expected.join('\n')}
};
`;
}
