#!/usr/bin/env node
// Writes the demo, a family of three on an invented chromosome: node demo/generate.mjs [DIRECTORY]
// Needs samtools, bgzip and tabix 1.16; the same versions write the same bytes. All of it is made from seeded random numbers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createChromosome, NAME } from './generator/chromosome.mjs';
import { createFamily } from './generator/family.mjs';
import { createGenes, formatGff } from './generator/genes.mjs';
import { sequence } from './generator/reads.mjs';
import { formatVcf } from './generator/variants.mjs';

const directory = resolve(process.argv[2] ?? fileURLToPath(new URL('.', import.meta.url)));
mkdirSync(directory, { recursive: true });

function run(command, ...args) {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  return execFileSync(command, args, { cwd: directory, env, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] });
}

function write(name, text) {
  writeFileSync(`${directory}/${name}`, text);
}

const genes = createGenes();
const bases = createChromosome(genes);
write('genome.fa', `>${NAME}\n${bases.replaceAll(/.{60}(?=.)/g, '$&\n')}\n`);
run('samtools', 'faidx', 'genome.fa');

const family = createFamily(bases);
const counts = new Map();
for (const { name, haplotypes } of family.members) {
  const { sam, alleles } = sequence({ name, haplotypes, bases, variants: family.variants });
  counts.set(name, alleles);
  write(`${name}.sam`, sam);
  // calmd adds the tags MD and NM.
  writeFileSync(`${directory}/${name}.md.bam`, run('samtools', 'calmd', '--no-PG', '-b', `${name}.sam`, 'genome.fa'));
  run('samtools', 'sort', '--no-PG', '-l', '9', '-o', `${name}.bam`, `${name}.md.bam`);
  run('samtools', 'index', `${name}.bam`);
  for (const part of ['.sam', '.md.bam']) rmSync(`${directory}/${name}${part}`);
}

for (const [name, text, preset] of [
  ['family.vcf', formatVcf(family, counts), 'vcf'],
  ['genes.gff3', formatGff(genes), 'gff'],
]) {
  write(name, text);
  run('bgzip', '-f', '-l', '9', name);
  run('tabix', '-f', '-p', preset, `${name}.gz`);
}
