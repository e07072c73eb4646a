import type { Answer } from '../../engine/answer.js';
import { broken, inapplicable, RuleEnd } from '../../engine/rule.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
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

const known = new WeakMap<HtsgetSubject, Promise<DecodedFile>>();

/**
 * Returns all records of a subject: those of `truth`, or of the whole file as the service answers it. Ends the rule if the file cannot be
 * read, or is larger than the run may fetch.
 */
export function readWholeFile(subject: HtsgetSubject): Promise<DecodedFile> {
  const whole = known.get(subject) ?? readTruth(subject);
  known.set(subject, whole);
  return whole;
}

async function readTruth(subject: HtsgetSubject): Promise<DecodedFile> {
  const { truth, format } = subject;
  if (truth !== undefined) return decodeFile(format, truth);
  return (await readAnswer(subject, await askTicket(subject))).decoded;
}
