import type { Discovery } from '../discovery/discover.js';
import { type Answer, isJsonObject, type JsonObject } from '../engine/answer.js';
import type { Probe } from '../engine/probe.js';
import { inapplicable, type Rule, RuleEnd, type Scope, type Subject, type Verdict } from '../engine/rule.js';

/** A sequence collection of a service. */
export interface SeqcolSubject extends Subject {
  /** The URL that `/collection`, `/comparison`, `/list`, `/attribute` and `/service-info` follow. */
  readonly base: string;
  /** The digest of the collection. */
  readonly digest: string;
  /** The digest of another collection of the service, if it has several. */
  readonly other: string | undefined;
  /** The answer to `GET /service-info`. */
  readonly info: Answer;
  /** The JSON Schema in service-info. Empty if it is missing. */
  readonly schema: JsonObject;
}

export interface SeqcolSubjectOptions {
  readonly probe: Probe;
  readonly digests: readonly string[];
}

/** Returns the subjects of a service of sequence collections: each collection. */
export function findSeqcolSubjects(
  { base, services, listed }: Discovery,
  { probe, digests }: SeqcolSubjectOptions,
): readonly SeqcolSubject[] {
  const info = services.find(({ path }) => path === 'collection')?.info;
  if (info === undefined) return [];
  const seqcol = info.object?.['seqcol'];
  const schema = isJsonObject(seqcol) && isJsonObject(seqcol['schema']) ? seqcol['schema'] : {};
  return digests.map((digest, index) => {
    const scopes: readonly Scope[] = index === 0 ? ['object', 'service'] : ['object'];
    const other = [...digests, ...listed.collection].find((candidate) => candidate !== digest);
    return { label: `collection/${digest}`, base, digest, other, info, schema, scopes, probe };
  });
}

/** Asks for what lies below the URL of the service. */
export function askPath({ base, probe }: SeqcolSubject, path: string): Promise<Answer> {
  return probe.ask({ url: `${base}/${path}` });
}

/** Asks for the collection at a level. */
export function askLevel(subject: SeqcolSubject, level: 1 | 2): Promise<Answer> {
  return askPath(subject, `collection/${subject.digest}?level=${level}`);
}

/** Returns the names of attributes that the schema qualifies, as `inherent` for example (sequence collections 1.0.0, §4.7). */
export function qualifiedAttributes(
  { schema }: SeqcolSubject,
  qualifier: 'inherent' | 'transient' | 'passthru',
): readonly string[] {
  const qualifiers = schema['ga4gh'] ?? schema['std'];
  const names: unknown = isJsonObject(qualifiers) ? qualifiers[qualifier] : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Returns the attributes of a collection. Ends the rule if there are none, which is a fault of its own. */
function attributesOf({ status, object }: Answer): JsonObject {
  if (status === 200 && object !== undefined) return object;
  throw new RuleEnd(inapplicable('the service does not answer the collection'));
}

/** A collection at both levels, with the answers that have them. */
export interface CollectionLevels {
  readonly level1: JsonObject;
  readonly level2: JsonObject;
  readonly answer1: Answer;
  readonly answer2: Answer;
}

/** Makes the function `run` of a rule about the attributes of a collection. */
export function withLevels(
  check: (subject: SeqcolSubject, levels: CollectionLevels) => Verdict | Promise<Verdict>,
): Rule<SeqcolSubject>['run'] {
  return async (subject) => {
    const [answer1, answer2] = [await askLevel(subject, 1), await askLevel(subject, 2)];
    const [level1, level2] = [attributesOf(answer1), attributesOf(answer2)];
    return check(subject, { level1, level2, answer1, answer2 });
  };
}

/** Returns an attribute at level 2 as an array. Empty if it is missing. */
export function arrayOf(attributes: JsonObject, name: string): readonly unknown[] {
  const value = attributes[name];
  return Array.isArray(value) ? value : [];
}
