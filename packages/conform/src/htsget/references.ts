import { inapplicable, RuleEnd } from '../engine/rule.js';
import { type DecodedFile, decodeFile } from './file/decode-file.js';
import { fetchFile } from './file/ticket.js';
import { endOf, readWholeFile } from './file/whole-file.js';
import { askTicket, type HtsgetSubject } from './htsget-subject.js';

/** An id that no service has. */
export const UNKNOWN_ID = 'htskit-conform-no-such-object';
/** A reference that no file has. */
export const UNKNOWN_REFERENCE = 'htskit-conform-no-such-reference';

/** Returns the header of a subject, as `class=header` answers it. Ends the rule if it cannot be read. */
async function readHeader(subject: HtsgetSubject): Promise<DecodedFile> {
  const ticket = await askTicket(subject, { class: 'header' });
  const { bytes } = await fetchFile(subject, ticket);
  try {
    return await decodeFile(subject.format, bytes);
  } catch (error) {
    throw endOf(error, subject, ticket);
  }
}

/**
 * Returns the name of a reference of a subject: of its header or, for VCF without `##contig`, of its first record. Ends the rule if it
 * has none.
 */
export async function findReference(subject: HtsgetSubject): Promise<string> {
  const named = (await readHeader(subject)).references[0]?.name;
  const name = named ?? (await readWholeFile(subject)).records[0]?.referenceName;
  if (name === undefined) throw new RuleEnd(inapplicable('the file has no references'));
  return name;
}
