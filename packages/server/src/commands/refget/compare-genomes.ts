import { type ComparedCollection, compareCollections } from '@htskit/refget';
import type { CharacterPolicy } from '@htskit/sequences';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatJson } from '../../terminal/format-table.js';
import { describeComparison } from './describe-comparison.js';
import { findCollection, withoutSecrets } from './find-collection.js';

/** The options of `htskit refget compare`. */
export interface CompareFlags {
  readonly json: boolean;
  readonly in: readonly string[];
  readonly characters?: CharacterPolicy;
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
}

interface CompareTask {
  readonly a: string;
  readonly b: string;
  readonly flags: CompareFlags;
  readonly signal: AbortSignal;
}

/** Prints what two genomes have in common. Throws UsageError for anything that is not a collection. */
export async function compareGenomes({ a, b, flags, signal }: CompareTask): Promise<void> {
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
