import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBamToSam, createSamToBam, parseSamHeader } from '@htskit/formats';
import { concatBytes, toOwned } from '@htskit/io';
import { openAlignments, type Region } from '@htskit/records';
import { Agreement, createFiles, orNull } from './agreement.js';
import type { Choices } from './choices.js';
import { type Call, judge } from './judge.js';
import { createSam, REFERENCES } from './sam-files.js';
import { bgzip } from './variant-answers.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface AlignmentCase {
  readonly text: string;
  readonly seed: number;
  readonly region: Region & { readonly start: number; readonly end: number };
  /** Options with which samtools writes CRAM. */
  readonly cramOptions: readonly string[];
}

function createCase(choices: Choices): Omit<AlignmentCase, 'seed'> {
  const { text } = createSam(choices);
  const referenceName = choices.pick(Array.from(REFERENCES.keys()));
  const start = choices.below(1500);
  const version = choices.pick(['2.1', '3.0', '3.1']);
  const options = [
    `version=${version}`,
    ...(choices.chance(0.3) ? ['seqs_per_slice=2'] : []),
    choices.pick(['embed_ref=0', 'embed_ref=1', 'no_ref=1', 'multi_seq_per_slice=1']),
  ];
  return {
    text,
    region: { referenceName, start, end: start + 1 + choices.below(100) },
    cramOptions: options.flatMap((option) => ['--output-fmt-option', option]),
  };
}

/** Compares the text of BAM or CRAM that samtools writes, of a region of it, and of the BAM that htskit makes of the SAM. */
export async function compareAlignments(python: string, folder: string, format: 'bam' | 'cram'): Promise<void> {
  const agreement = new Agreement([]);
  const reference = join(folder, 'reference.fa');
  writeFileSync(reference, Array.from(REFERENCES, ([name, bases]) => `>${name}\n${bases}\n`).join(''));
  const files = createFiles(createCase);
  const calls = files.map(({ text, seed, region: { referenceName, start, end }, cramOptions }): readonly Call[] => {
    const path = join(folder, `${seed}.${format}`);
    writeFileSync(`${path}.sam`, text);
    if (format === 'bam') writeFileSync(`${path}-htskit.bam`, bgzip(toBam(text)));
    const region = `{${referenceName}}:${start + 1}-${end}`;
    const output = format === 'bam' ? ['-b'] : ['-C', ...cramOptions];
    return [
      ['samtools', 'view', '--no-PG', ...output, '-T', reference, '-o', path, `${path}.sam`],
      ['samtools', 'view', '-T', reference, path],
      ['samtools', 'index', path],
      ['samtools', 'view', '-T', reference, path, region],
      ...(format === 'bam' ? ([['samtools', 'view', `${path}-htskit.bam`]] as const) : []),
    ];
  });
  const answers = await judge(python, folder, calls);
  for (const [index, { text, seed, region, cramOptions }] of files.entries()) {
    const [made = null, theirs = null, , inRegion = null, theirsOfOurs = null] = answers[index] ?? [];
    const [lines, found] = (await orNull(() => readLines(join(folder, `${seed}.${format}`), region))) ?? [null, null];
    const source = `${cramOptions.join(' ')}\n${JSON.stringify(region)}\n${text}`;
    const compare = (what: string, ours: readonly string[] | null, expected: string | null): void =>
      agreement.compare(`${what} (seed ${seed})`, source, {
        ours,
        theirs: expected === null ? null : linesOf(expected),
      });
    compare('records', lines, made === null ? null : theirs);
    compare('records of a region', found, made === null ? null : inRegion);
    if (format === 'bam') compare('records of our BAM', lines, theirsOfOurs);
  }
  agreement.check(0.9);
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function toBam(text: string): Uint8Array {
  const data = encoder.encode(text);
  const header = parseSamHeader(data);
  const converter = createSamToBam(header);
  const records = converter.push(data.subarray(header.byteLength)).map(toOwned);
  return concatBytes([converter.header, ...records, ...converter.finish().map(toOwned)]);
}

/** Returns all records as SAM, and those of a region. */
async function readLines(path: string, region: Region): Promise<[string[], string[]]> {
  const file = await openAlignments(path, {
    reference: async ({ name, start, end }) => encoder.encode(REFERENCES.get(name)?.slice(start, end) ?? ''),
  });
  const read = async (regions?: Region): Promise<string[]> => {
    const converter = createBamToSam(file.header);
    let text = '';
    for await (const bytes of file.recordBytes(regions)) {
      for (const part of converter.push(bytes)) text += decoder.decode(toOwned(part));
    }
    return linesOf(text);
  };
  const answers: [string[], string[]] = [await read(), await read(region)];
  await file.close();
  return answers;
}
