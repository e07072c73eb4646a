import type { Answer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, keptWith, RuleEnd, type Verdict } from '../../engine/rule.js';
import type { DecodedRecord } from '../file/decode-file.js';
import { type AnsweredFile, type KnownFile, readAnswer, readKnownFile } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { compareRecords, describeRecords, type RecordDifferences } from './compare-records.js';
import {
  type ChosenRegions,
  chooseRegions,
  formatRegions,
  overlaps,
  type ProbeRegion,
  toParameters,
} from './region.js';

/** A part of the records of a file. */
export interface RecordSelection {
  /** Completes "the records of the file": `that overlap chr1:[10, 20)`. */
  readonly description: string;
  readonly has: (record: DecodedRecord) => boolean;
}

/** The answer to a request for some records, beside the whole file. */
export interface ComparedAnswer extends AnsweredFile {
  readonly selection: RecordSelection;
  readonly whole: KnownFile;
  readonly differences: RecordDifferences;
}

/** Returns the records that overlap any of the regions. */
export function ofRegions(regions: readonly ProbeRegion[]): RecordSelection {
  return { description: `that overlap ${formatRegions(regions)}`, has: (record) => overlaps(record, regions) };
}

/** All records of a file. */
export const ALL_RECORDS: RecordSelection = { description: 'in all', has: () => true };

/** Asks for a region by GET, and compares the answer with the whole file. */
export async function readRegion(subject: HtsgetSubject, region: ProbeRegion): Promise<ComparedAnswer> {
  return compareAnswer(subject, await askTicket(subject, toParameters(region)), ofRegions([region]));
}

/** Reads the file of a ticket, and compares its records with those that it should have. */
export async function compareAnswer(
  subject: HtsgetSubject,
  ticket: Answer,
  selection: RecordSelection,
): Promise<ComparedAnswer> {
  const whole = await readKnownFile(subject);
  const answer = await readAnswer(subject, ticket);
  const { window } = whole;
  const { records } = answer.decoded;
  // Of records outside of the window it is not known whether they are right.
  const comparable = window === undefined ? records : records.filter((record) => overlaps(record, [window]));
  const differences = compareRecords({ records: comparable }, whole, selection.has);
  return { ...answer, selection, whole, differences };
}

/** Returns the regions to ask for. Ends the rule if the file has no placed records. */
export async function regionsOf(subject: HtsgetSubject): Promise<ChosenRegions> {
  const known = await readKnownFile(subject);
  const chosen = chooseRegions(known, known.window);
  if (chosen === undefined) throw new RuleEnd(inapplicable('the file has no records with a position'));
  return chosen;
}

/** Checks that all records of the selection are in an answer. */
export function expectComplete({ ticket, selection, differences }: ComparedAnswer): Verdict {
  const { missing, expectedCount } = differences;
  if (missing.length === 0) return keptWith(`${expectedCount} records`);
  const expected = `the ${expectedCount} records of the file ${selection.description}`;
  return broken(ticket, { expected, found: `without ${describeRecords(missing)}` });
}

/** Checks that each record of an answer is one of the file. */
export function expectUnaltered({ ticket, differences: { foreign } }: ComparedAnswer): Verdict {
  if (foreign.length === 0) return KEPT;
  return broken(ticket, { expected: 'records of the file', found: `${describeRecords(foreign)} not in the file` });
}

/** Checks that no record occurs more often than in the file. */
export function expectOnce({ ticket, differences: { repeated } }: ComparedAnswer): Verdict {
  if (repeated.length === 0) return KEPT;
  return broken(ticket, { expected: 'each record once', found: `${describeRecords(repeated)} again` });
}

/** Checks that the records of an answer are in the order of the file. */
export function expectOrder({ ticket, differences: { misplaced } }: ComparedAnswer): Verdict {
  if (misplaced === undefined) return KEPT;
  return broken(ticket, {
    expected: 'the order of the file',
    found: `${describeRecords([misplaced])} after a later one`,
  });
}

/** Checks the header and the end of an answer, which is a whole file of its own. */
export function expectWholeFile({
  ticket,
  decoded,
  whole,
}: Pick<ComparedAnswer, 'ticket' | 'decoded' | 'whole'>): Verdict {
  const names = decoded.references.map(({ name }) => name).join();
  if (names !== whole.references.map(({ name }) => name).join()) {
    return broken(ticket, {
      expected: 'the references of the whole file in the header',
      found: `others: ${names.slice(0, 80)}`,
    });
  }
  if (decoded.hasEof !== false) return KEPT;
  return broken(ticket, { expected: 'the EOF marker at the end', found: 'another end' });
}

/** Runs all checks of an answer, and returns the first that fails. */
export function expectRecords(answer: ComparedAnswer): Verdict {
  const checks = [expectWholeFile, expectUnaltered, expectOnce, expectOrder].map((check) => check(answer));
  return checks.find(({ kind }) => kind !== 'kept') ?? expectComplete(answer);
}
