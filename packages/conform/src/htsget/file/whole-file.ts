import { ConformError } from '../../conform-error.js';
import type { Answer } from '../../engine/answer.js';
import { broken, inapplicable, RuleEnd } from '../../engine/rule.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { overlaps, type ProbeRegion, toParameters } from '../regions/region.js';
import { type DecodedFile, decodeFile } from './decode-file.js';
import { UnreadableFile } from './inflate-file.js';
import { type FetchedFile, fetchFile } from './ticket.js';

/** An answer that was fetched and decoded. */
export interface AnsweredFile extends FetchedFile {
  readonly decoded: DecodedFile;
}

const answered = new WeakMap<Answer, Promise<AnsweredFile>>();

/** Fetches and decodes the file of a ticket, once. Ends the rule if that is impossible. */
export function readAnswer(subject: HtsgetSubject, ticket: Answer): Promise<AnsweredFile> {
  const file = answered.get(ticket) ?? decodeAnswer(subject, ticket);
  answered.set(ticket, file);
  return file;
}

async function decodeAnswer(subject: HtsgetSubject, ticket: Answer): Promise<AnsweredFile> {
  const file = await fetchFile(subject, ticket);
  try {
    return { ...file, decoded: await decodeFile(subject.format, file.bytes) };
  } catch (error) {
    throw endOf(error, subject, ticket);
  }
}

/** Returns the end of a rule for bytes that cannot be read. */
export function endOf(error: unknown, { format }: HtsgetSubject, ticket: Answer): unknown {
  if (!(error instanceof UnreadableFile)) return error;
  if (error.needsReference) {
    return new RuleEnd(inapplicable(`the records of the ${format} need reference bases, which are not available here`));
  }
  return new RuleEnd(broken(ticket, { expected: `blocks that are ${format} in a row`, found: error.message }));
}

const wholeFiles = new WeakMap<HtsgetSubject, Promise<DecodedFile>>();

/**
 * Returns all records of a subject: those of `truth`, or of the whole file as the service answers it. Ends the rule if the file cannot be
 * read. Fails with `ConformError` BUDGET if it is larger than the run may fetch.
 */
export function readWholeFile(subject: HtsgetSubject): Promise<DecodedFile> {
  const whole = wholeFiles.get(subject) ?? readTruth(subject);
  wholeFiles.set(subject, whole);
  return whole;
}

async function readTruth(subject: HtsgetSubject): Promise<DecodedFile> {
  const { truth, format } = subject;
  if (truth !== undefined) return decodeFile(format, truth);
  return (await readAnswer(subject, await askTicket(subject))).decoded;
}

/** The records of a file that answers are compared with. */
export interface KnownFile extends DecodedFile {
  /** The region whose records these are. Undefined if they are those of the whole file. */
  readonly window: ProbeRegion | undefined;
}

const knownFiles = new WeakMap<HtsgetSubject, Promise<KnownFile>>();

/** Returns what `readWholeFile` does or, of a file that is too large, the records of a region. */
export function readKnownFile(subject: HtsgetSubject): Promise<KnownFile> {
  const known = knownFiles.get(subject) ?? readWholeOrWindow(subject);
  knownFiles.set(subject, known);
  return known;
}

async function readWholeOrWindow(subject: HtsgetSubject): Promise<KnownFile> {
  try {
    return { ...(await readWholeFile(subject)), window: undefined };
  } catch (error) {
    if (!isTooLong(error)) throw error;
    return readWindow(subject, error);
  }
}

/** Returns whether an error is about an answer that is longer than the budget allows. */
export function isTooLong(error: unknown): error is ConformError {
  return error instanceof ConformError && error.code === 'BUDGET';
}

/** Windows have this many bases, and of several that are tried, the first with enough records is taken. */
const WINDOW_BASES = [10_000, 100_000, 1_000_000];
const WINDOW_RECORDS = 100;

/** Requests growing regions in the middle of the first reference until one has enough records. Throws `error` if none has a record. */
async function readWindow(subject: HtsgetSubject, error: ConformError): Promise<KnownFile> {
  const header = await readAnswer(subject, await askTicket(subject, { class: 'header' }));
  const [reference] = header.decoded.references;
  let known: KnownFile | undefined;
  for (const bases of reference === undefined ? [] : WINDOW_BASES) {
    const { name: referenceName, length = 2 * bases } = reference ?? { name: '' };
    const start = Math.max(0, Math.floor((length - bases) / 2));
    const window = { referenceName, start, end: start + bases };
    try {
      const { decoded } = await readAnswer(subject, await askTicket(subject, toParameters(window)));
      const records = decoded.records.filter((record) => overlaps(record, [window]));
      if (records.length > 0) known = { ...decoded, records, window };
    } catch (failure) {
      if (!isTooLong(failure)) throw failure;
      break;
    }
    if ((known?.records.length ?? 0) >= WINDOW_RECORDS) break;
  }
  if (known === undefined) throw error;
  return known;
}
