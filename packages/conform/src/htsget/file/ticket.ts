import { concatBytes, fromBase64 } from '@htskit/io';
import { type Answer, describeAnswer, isJsonObject, type JsonObject } from '../../engine/answer.js';
import type { ProbeRequest } from '../../engine/probe-request.js';
import { broken, RuleEnd } from '../../engine/rule.js';
import type { HtsgetSubject } from '../htsget-subject.js';

/** A block of a ticket as the service wrote it. Only `url` is checked to be text. */
export interface WrittenBlock {
  readonly url: string;
  readonly headers: unknown;
  readonly class: unknown;
}

/** A ticket as the service wrote it. */
export interface WrittenTicket {
  readonly htsget: JsonObject;
  readonly blocks: readonly WrittenBlock[];
}

/** Ends the rule unless the answer is a ticket: 200, with an object `htsget` and an array `urls` of objects with a `url`. */
export function readTicket(answer: Answer): WrittenTicket {
  const end = (expected: string): RuleEnd => new RuleEnd(broken(answer, { expected, found: describeAnswer(answer) }));
  if (answer.status !== 200) throw end('a ticket with status 200');
  const htsget = answer.object?.['htsget'];
  if (!isJsonObject(htsget)) throw end('a JSON object with a member "htsget"');
  const { urls } = htsget;
  if (!Array.isArray(urls)) throw end('an array "urls"');
  const blocks = urls.map((block: unknown) => {
    if (!isJsonObject(block) || typeof block['url'] !== 'string') throw end('a text "url" in each block');
    return { url: block['url'], headers: block['headers'], class: block['class'] };
  });
  return { htsget, blocks };
}

/** Returns whether the URL of a block holds its bytes. */
export function isDataUri(url: string): boolean {
  return /^data:/i.test(url);
}

/** Returns the request for a block: with the headers of the ticket, and without the token of the run. */
export function blockRequest({ url, headers }: WrittenBlock): ProbeRequest {
  const given = isJsonObject(headers) ? Object.entries(headers) : [];
  const texts = given.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { url, headers: Object.fromEntries(texts), isAuthorized: false };
}

/** A ticket with the bytes of its blocks. */
export interface FetchedFile {
  readonly ticket: Answer;
  readonly blocks: readonly FetchedBlock[];
  /** The blocks in a row. */
  readonly bytes: Uint8Array;
}

interface FetchedBlock extends WrittenBlock {
  readonly bytes: Uint8Array;
}

/** Fetches the blocks of a ticket, one after another. Ends the rule if the answer is not a ticket, or if a block cannot be fetched. */
export async function fetchFile(subject: HtsgetSubject, ticket: Answer): Promise<FetchedFile> {
  const blocks: FetchedBlock[] = [];
  let maxBytes = subject.probe.fileBytes;
  for (const block of readTicket(ticket).blocks) {
    const bytes = await fetchBlock(subject, ticket, block, maxBytes);
    maxBytes -= bytes.length;
    blocks.push({ ...block, bytes });
  }
  return { ticket, blocks, bytes: concatBytes(blocks.map(({ bytes }) => bytes)) };
}

async function fetchBlock(
  subject: HtsgetSubject,
  ticket: Answer,
  block: WrittenBlock,
  maxBytes: number,
): Promise<Uint8Array> {
  if (isDataUri(block.url)) return decodeDataUri(ticket, block.url);
  if (!/^https?:\/\//i.test(block.url)) {
    throw new RuleEnd(broken(ticket, { expected: 'an absolute URL of each block', found: `"${block.url}"` }));
  }
  const answer = await subject.probe.ask({ ...blockRequest(block), maxBytes });
  if (answer.status === 200 || answer.status === 206) return answer.body;
  throw new RuleEnd(broken(answer, { expected: 'status 200 or 206 for a block', found: describeAnswer(answer) }));
}

/** Decodes a data URI (htsget 1.3.1, "Result rules" 6). Ends the rule unless it is Base64. */
function decodeDataUri(ticket: Answer, url: string): Uint8Array {
  const comma = url.indexOf(',');
  try {
    if (!/;base64$/i.test(url.slice(0, comma))) throw new SyntaxError('not Base64');
    return fromBase64(url.slice(comma + 1));
  } catch {
    const found = `"${url.slice(0, 40)}…"`;
    throw new RuleEnd(broken(ticket, { expected: 'a data URI with a Base64 payload', found }));
  }
}
