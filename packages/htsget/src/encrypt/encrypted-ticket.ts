import { Crypt4ghError } from '@htskit/crypt4gh';
import { type EncryptedFile, NONCE_BYTES, SEGMENT_BYTES, writeHeader } from '@htskit/crypt4gh/internal';
import { type LruCache, toBase64Url, toHex } from '@htskit/io';
import { dataUri, HtsgetError, type Ticket, type TicketBlock } from '@htskit/protocol';
import { sha256 } from '#mac';
import type { BlockClaim, Derive } from '../block-url/block-claim.js';
import type { ClaimedSegment, Plan, Segment } from '../plan/plan.js';
import { type AnswerKeys, deriveAnswerKeys } from './answer-keys.js';
import { type AnswerPart, type DivideOptions, divideAnswer } from './divide-answer.js';
import { createEditList, type PaddedPart } from './edit-list.js';

export interface EncryptedTicketOptions extends Omit<DivideOptions, 'endMarker' | 'storedBytes'> {
  /** The public key of the client. */
  readonly recipient: Uint8Array;
  /** The claim of every block, without its segments. */
  readonly claim: Omit<BlockClaim, 'segments'>;
  readonly derive: Derive;
  /** The stored Crypt4GH file, if its segments may be passed through: the client may see all of the object. */
  readonly stored?: EncryptedFile;
  /** Headers that were written before, by the hash of what they say: to write one takes several times as long as a ticket. */
  readonly headers: LruCache<Uint8Array>;
  /** The headers that requests for blocks need. Default: none. */
  readonly blockHeaders?: Readonly<Record<string, string>> | undefined;
  blockUrl(claim: BlockClaim): string;
}

/**
 * Renders a plan, which holds nothing inline but its end marker, as a ticket whose blocks concatenate to one Crypt4GH file, which only
 * the recipient can read: the header inline, and a URL for each part. Blocks have no class, because none of them can be read without
 * the others. Throws `HtsgetError` PayloadTooLarge for uncompressed text of several blocks.
 */
export async function createEncryptedTicket(plan: Plan, options: EncryptedTicketOptions): Promise<Ticket> {
  const { recipient, derive, stored, headers, blockHeaders = {} } = options;
  const recipientText = toBase64Url(recipient);
  const claim = { ...options.claim, encryption: { recipient: recipientText } };
  const keys = deriveAnswerKeys(derive, claim);
  const parts = pad(
    await divideAnswer(plan.segments.map(toStored), {
      ...options,
      endMarker: plan.segments.find((segment) => segment.kind === 'inline')?.bytes,
      storedBytes: stored && wholeSegmentBytes(stored),
    }),
    plan,
  );
  const header = encodeHeader(parts, { recipient, keys, stored, headers });
  const urls = parts.map((part) => options.blockUrl({ ...claim, ...toClaim(part, recipientText) }));
  const blocks: TicketBlock[] = urls.map((url) => ({ url, headers: blockHeaders }));
  return { htsget: { format: plan.format, urls: [{ url: dataUri(header) }, ...blocks] } };
}

/** Returns the bytes of plaintext in whole segments: none if an edit list moves it within them. */
function wholeSegmentBytes({ header: { editList = [] }, layout: { size } }: EncryptedFile): number {
  return editList.length === 0 ? size - (size % SEGMENT_BYTES) : 0;
}

function toStored(segment: Segment): ClaimedSegment {
  return segment.kind === 'inline' ? { kind: 'end', class: 'body' } : segment;
}

/** Decides how the parts are filled up to whole segments. The last one is not. */
function pad(parts: readonly AnswerPart[], { format }: Plan): readonly PaddedPart[] {
  const padding = format === 'BAM' || format === 'VCF' || format === 'BCF' ? 'blocks' : 'zeros';
  return parts.map((part, index) => {
    if (part.kind === 'stored' || index === parts.length - 1) return part;
    if (padding === 'zeros' && part.plainBytes === undefined) {
      throw new HtsgetError('PayloadTooLarge', `${format} of this length cannot be encrypted; request VCF`);
    }
    return { ...part, padding };
  });
}

function toClaim(part: PaddedPart, recipient: string): Pick<BlockClaim, 'encryption' | 'segments'> {
  if (part.kind === 'new') {
    const { segments, padding, plainBytes } = part;
    return { segments, encryption: { recipient, padding, plainBytes: padding && plainBytes } };
  }
  const { start, end } = part;
  return { segments: [{ kind: 'range', class: 'body', start, end }], encryption: { recipient, isStored: true } };
}

interface HeaderOptions extends Pick<EncryptedTicketOptions, 'recipient' | 'stored' | 'headers'> {
  readonly keys: AnswerKeys;
}

function encodeHeader(parts: readonly PaddedPart[], { recipient, keys, stored, headers }: HeaderOptions): Uint8Array {
  const editList = createEditList(parts);
  const storedKeys = parts.some((part) => part.kind === 'stored') ? (stored?.header.dataKeys ?? []) : [];
  const dataKeys = [keys.dataKey, ...storedKeys];
  const contents = JSON.stringify([editList, dataKeys.map((key) => toHex(key.expose()))]);
  // The data key of the service belongs to one recipient.
  const contentsHash = sha256(contents);
  const known = headers.get(contentsHash);
  if (known !== undefined) return known;
  // A key for these contents alone, so that the numbers of packets are nonces that no other packet has.
  const writerSecretKey = keys.writerKey(contents);
  try {
    const header = writeHeader({ recipients: [recipient], dataKeys, editList, writerSecretKey, nonceOf: packetNonce });
    headers.set(contentsHash, header);
    return header;
  } catch (cause) {
    if (!(cause instanceof Crypt4ghError) || cause.code !== 'INVALID_KEY') throw cause;
    throw new HtsgetError('InvalidInput', `the public key cannot be used: ${cause.message}`, { cause });
  }
}

function packetNonce(index: number): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setUint32(0, index, true);
  return nonce;
}
