import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexTabix } from '@htskit/indexes';
import { openTabix, type Region } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { Agreement, createFiles, type Decision, orNull } from './agreement.js';
import type { Choices } from './choices.js';
import { type Call, judge } from './judge.js';
import type { LineFile } from './line-files.js';
import { bgzip } from './variant-answers.js';

const encoder = new TextEncoder();

const DECISIONS: readonly Decision[] = [
  {
    what: 'an empty column is neither a name nor a position; htslib reads the number of the next column',
    explains: (source) => /^\t|^c1\t(a\tb\t)?\t/m.test(source),
  },
];

/** Compares the lines of regions, and all lines, with what tabix finds in the file without lines that it does not read. */
export async function compareLines(
  python: string,
  folder: string,
  { preset, create }: { readonly preset: 'bed' | 'gff'; readonly create: (choices: Choices) => LineFile },
): Promise<void> {
  const agreement = new Agreement(DECISIONS);
  const files = createFiles(create);
  const calls = files.map(({ plainText, regions, seed }): readonly Call[] => {
    const path = join(folder, `${seed}.${preset}.gz`);
    writeFileSync(path, bgzip(encoder.encode(plainText)));
    return [
      ['tabix', 'index', path, preset],
      ...regions.map(
        ({ referenceName, start, end }): Call => ['tabix', 'fetch', path, referenceName, String(start), String(end)],
      ),
    ];
  });
  const answers = await judge(python, folder, calls);
  for (const [index, { text, plainText, regions, seed }] of files.entries()) {
    const [made = null, ...theirs] = answers[index] ?? [];
    const ours = await orNull(() => readLines(text, preset, regions));
    // tabix refuses regions of names without records.
    const expected = made === null ? null : [linesOf(plainText), ...theirs.map((lines) => linesOf(lines ?? ''))];
    agreement.compare(`lines (seed ${seed})`, text, { ours, theirs: expected });
  }
  agreement.check(0.8);
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}

/** Returns all lines, and those of each region. */
async function readLines(text: string, preset: 'bed' | 'gff', regions: readonly Region[]): Promise<string[][]> {
  const bytes = bgzip(encoder.encode(text));
  const index = await indexTabix(new Blob([bytes]).stream(), { settings: preset });
  const file = await openTabix(memorySource(bytes), memorySource(index));
  const answers: string[][] = [];
  for (const region of [undefined, ...regions]) {
    const lines: string[] = [];
    for await (const { line } of file.records(region, { skipUnknown: true })) lines.push(line);
    answers.push(lines);
  }
  await file.close();
  return answers;
}
