import { type ComparedCollection, compareCollections } from '@htskit/refget';
import type { CharacterPolicy } from '@htskit/sequences';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatJson } from '../../terminal/format-table.js';
import { addValue, charactersOption, withInterrupt } from '../command-line.js';
import { STDIN } from '../digest/digest-file.js';
import { describeComparison } from './describe-comparison.js';
import { findCollection, withoutSecrets } from './find-collection.js';

const NOTES = `
A and B are each one of:
  a FASTA file, plain or compressed by bgzip or gzip, - for stdin, or a 2bit file
  a store with one collection: a folder, a RefgetStore, or s3://BUCKET/PREFIX
  the URL of a collection: https://HOST/collection/DIGEST
  the digest of a collection that is found with --in

Prints a line such as "same sequences, other names; 3 extra in B", and counts. With
--json it prints the comparison of the specification of sequence collections.

Examples:
  htskit refget compare hg38.fa.gz GRCh38.fa.gz
  htskit refget compare genome.fa https://data.example.org/collection/DIGEST
  htskit refget compare --json DIGEST refget-store --in https://data.example.org

Exit codes: 0 (compared, whatever the result), 1 (failed), 2 (usage).`;

interface CompareFlags {
  readonly json: boolean;
  readonly in: readonly string[];
  readonly characters?: CharacterPolicy;
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
}

/** Adds `htskit refget compare`. */
export function addCompareCommand(refget: Command): void {
  const command = refget
    .command('compare')
    .description('say what two genomes have in common')
    .argument('<A>', 'FASTA or 2bit file, store, URL or digest of a collection')
    .argument('<B>', 'the same')
    .option(
      '--in <source>',
      'where to find digests: the URL of a service, a store, a path that serve takes, or a configuration ' +
        '(*.yaml); repeatable',
      addValue,
      [],
    )
    .option('--json', 'print the comparison of the specification', false)
    .addOption(charactersOption())
    .option('-H, --http-header <header>', "request header 'Name: value' for URLs; repeatable", addValue, [])
    .option('--token-file <file>', 'file with a bearer token for URLs')
    .addHelpText('after', NOTES);
  command.action(async (a: string, b: string, flags: CompareFlags) => {
    if (a === STDIN && b === STDIN) command.error('error: - may be given only once');
    try {
      await withInterrupt((signal) => compare({ a, b, flags, signal }));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

interface CompareTask {
  readonly a: string;
  readonly b: string;
  readonly flags: CompareFlags;
  readonly signal: AbortSignal;
}

async function compare({ a, b, flags, signal }: CompareTask): Promise<void> {
  const { characters = 'letters', tokenFile, httpHeader: headerLines } = flags;
  const options = { sources: flags.in, characters, headerLines, tokenFile, signal };
  const [one, other] = [await findCollection(a, options), await findCollection(b, options)];
  const comparison = await compareCollections(one, other, { signal });
  if (flags.json) {
    process.stdout.write(formatJson(comparison));
    return;
  }
  const sameNames = await countSameNames(one, other, signal);
  const lines = describeComparison({ a: withoutSecrets(a), b: withoutSecrets(b), comparison, sameNames });
  process.stdout.write(`${lines.map(escapeControls).join('\n')}\n`);
}

/** Counts the sequences that have the same name in both collections, which the comparison does not say. */
async function countSameNames(a: ComparedCollection, b: ComparedCollection, signal: AbortSignal): Promise<number> {
  const { array_elements: elements } = await compareCollections(namedSequences(a), namedSequences(b), { signal });
  return elements.a_and_b_count[NAMED_SEQUENCES] ?? 0;
}

const NAMED_SEQUENCES = 'named_sequences';

function namedSequences({ attributes }: ComparedCollection): ComparedCollection {
  const [names, sequences] = [attributes.get('names'), attributes.get('sequences')];
  if (names === undefined || sequences === undefined) return { digest: null, attributes: new Map() };
  // No digest holds a space.
  const at = (index: number): string => `${sequences.at(index)} ${names.at(index)}`;
  return { digest: null, attributes: new Map([[NAMED_SEQUENCES, { length: names.length, at }]]) };
}
