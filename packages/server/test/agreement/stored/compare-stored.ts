import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lines } from '../../interop-tools.js';
import { Agreement, type Decision } from '../agreement.js';
import { judge } from '../judge.js';
import { askAlignments, askLines, askVariants, type Question } from './questions.js';
import { copyStoredFiles, type StoredFile } from './stored-files.js';

const DECISIONS: readonly Decision[] = [
  {
    what: 'gzip subfields besides BC, which SAMv1 §4.1 allows; htslib reads such a file in order, but cannot seek in it',
    explains: (source) => /^extra-subfield\.bam: [*{]/.test(source),
  },
];

/** Compares the text of files that are not generated, of regions of them, and of what they are converted to. */
export async function compareStored(python: string, folder: string): Promise<string[]> {
  const agreement = new Agreement(DECISIONS);
  const scratch = join(folder, 'stored');
  mkdirSync(scratch);
  const questions: Question[] = [];
  for (const file of copyStoredFiles(scratch)) {
    const asked = await ask(file);
    questions.push(...asked.map((question) => ({ ...question, what: `${file.name}: ${question.what}` })));
  }
  const calls = questions.map((question) => question.calls);
  for (const [index, printed] of (await judge(python, folder, calls)).entries()) {
    const { what, ours } = questions[index] ?? { what: '', ours: null };
    const theirs = printed.at(-1) ?? null;
    agreement.compare(what, what, { ours, theirs: theirs === null ? null : lines(theirs) });
  }
  return agreement.faults(0.9);
}

async function ask(file: StoredFile): Promise<Question[]> {
  if (file.kind === 'alignments') return askAlignments(file);
  const hasLines = file.isIndexed && !file.path.endsWith('.bcf');
  return [...(hasLines ? await askLines(file) : []), ...(file.kind === 'variants' ? await askVariants(file) : [])];
}
