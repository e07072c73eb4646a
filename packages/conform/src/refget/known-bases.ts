import { SequenceDigester, type SequenceDigests } from '@htskit/digest';
import { type Answer, isJsonObject, type JsonObject } from '../engine/answer.js';
import { inapplicable, type Verdict } from '../engine/rule.js';
import { askSequence, type RefgetSubject } from './refget-subject.js';

/** The bases of a sequence that later answers are compared with. */
export interface KnownBases {
  /** Bases of the whole sequence. */
  readonly length: number;
  /** The bases from 0: all of them, or the first ones of a long sequence. */
  readonly bases: Uint8Array;
  readonly isWhole: boolean;
}

/** Bases up to which a sequence is fetched as a whole. */
const WHOLE_BASES = 8 * 1024 * 1024;
/** Bases that are fetched of a longer sequence. */
const HEAD_BASES = 65_536;

/** Returns the bases of a sequence, or undefined if the service does not answer them. */
async function findKnownBases(subject: RefgetSubject): Promise<KnownBases | undefined> {
  const length = await findLongLength(subject);
  const suffix = length === undefined ? '' : `?start=0&end=${Math.min(HEAD_BASES, partLimit(subject))}`;
  const { status, body } = await askSequence(subject, suffix);
  if (status !== 200) return undefined;
  return { length: length ?? body.length, bases: body, isWhole: length === undefined };
}

/** Returns the length of a sequence that is too long to be fetched as a whole, as its metadata says. Undefined for others. */
export async function findLongLength(subject: RefgetSubject): Promise<number | undefined> {
  const length = (await findMetadata(subject))?.['length'];
  return typeof length === 'number' && length > WHOLE_BASES ? length : undefined;
}

/** Returns the most bases of a part by start and end that the service announces. */
export function partLimit({ capabilities }: RefgetSubject): number {
  const limit = capabilities['subsequence_limit'];
  return typeof limit === 'number' && limit > 0 ? limit : Number.POSITIVE_INFINITY;
}

/** Returns the member `metadata` of the metadata document, or undefined if there is no such document. */
export async function findMetadata(subject: RefgetSubject): Promise<JsonObject | undefined> {
  const { status, object } = await askSequence(subject, '/metadata');
  const metadata = object?.['metadata'];
  return status === 200 && isJsonObject(metadata) ? metadata : undefined;
}

const digests = new WeakMap<Uint8Array, SequenceDigests>();

/** Computes the digests of a whole sequence. Returns undefined if only a part of it is known. */
export function computeDigests({ bases, isWhole }: KnownBases): SequenceDigests | undefined {
  if (!isWhole) return undefined;
  const computed = digests.get(bases) ?? new SequenceDigester().update(bases).digest();
  digests.set(bases, computed);
  return computed;
}

/** The digests of a sequence, as far as they are known. */
export type KnownDigests = Partial<Omit<SequenceDigests, 'length'>>;

/** Returns the digests of the bases or, if only a part of them is known, those that the metadata has. */
export async function findDigests(subject: RefgetSubject, known: KnownBases): Promise<KnownDigests> {
  const computed = computeDigests(known);
  if (computed !== undefined) return computed;
  const { md5, ga4gh, std, trunc512 } = (await findMetadata(subject)) ?? {};
  const named = Object.entries({ md5, sha512t24u: ga4gh ?? std, trunc512 });
  return Object.fromEntries(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export interface BasesNeeded {
  /** The fewest bases that the requests of the rule make sense for. Default 3. */
  readonly atLeast?: number;
  /** Whether the rule needs all bases of the sequence. Default false. */
  readonly isWhole?: boolean;
}

type BasesCheck = (subject: RefgetSubject, known: KnownBases) => Verdict | Promise<Verdict>;

/** Makes the function `run` of a rule that compares an answer with the bases of the sequence. */
export function withBases(
  check: BasesCheck,
  { atLeast = 3, isWhole = false }: BasesNeeded = {},
): (subject: RefgetSubject) => Promise<Verdict> {
  return async (subject) => {
    const known = await findKnownBases(subject);
    if (known === undefined) return inapplicable('the service does not answer the sequence');
    if (known.length < atLeast) return inapplicable(`the sequence has fewer than ${atLeast} bases`);
    if (isWhole && !known.isWhole) return inapplicable('the sequence is too long to be fetched as a whole');
    return check(subject, known);
  };
}

/** An interval of bases, half-open. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Returns a part from the middle of the known bases, with at most 1,000 bases. */
export function middlePart({ bases }: KnownBases): Part {
  const start = Math.floor(bases.length / 3);
  return { start, end: Math.min(Math.ceil((2 * bases.length) / 3), start + 1000) };
}

/** Bases around which servers join blocks, lines and bytes of two bits a base. */
const EDGES = [4, 60, 70, 80, 100, 1000, 4096, 16_384, 65_280, 65_536, 131_072, 1_048_576];

/** Returns short parts from everywhere within the known bases: around edges of blocks and lines, and at its end. */
export function scatteredParts({ bases }: KnownBases): readonly Part[] {
  const { length } = bases;
  const parts = EDGES.map((edge) => ({ start: edge - 3, end: edge + 2 }));
  return [...parts, { start: length - 3, end: length }].filter(({ end }) => end <= length);
}

/** Returns whether an answer of the service is `text/plain` in the words of the protocol. */
export function isPlain({ mediaType }: Answer): boolean {
  return /^text\/(?:vnd\.(?:ga4gh|std)\.refget\.v\d+\.\d+\.\d+\+)?plain$/.test(mediaType);
}
