import type { Discovery } from '../discovery/discover.js';
import { type Answer, isJsonObject, type JsonObject } from '../engine/answer.js';
import type { Probe } from '../engine/probe.js';
import { inapplicable, type Rule, RuleEnd, type Scope, type Subject, type Verdict } from '../engine/rule.js';

/** An object of a DRS service. */
export interface DrsSubject extends Subject {
  /** The URL that `/objects` and `/service-info` follow. */
  readonly endpoint: string;
  readonly id: string;
  /** The answer to `GET /service-info`. */
  readonly info: Answer;
}

export interface DrsSubjectOptions {
  readonly probe: Probe;
  readonly ids: readonly string[];
}

/** Returns the subjects of a DRS service: each object. */
export function findDrsSubjects({ services }: Discovery, { probe, ids }: DrsSubjectOptions): readonly DrsSubject[] {
  const service = services.find(({ path }) => path === 'drs');
  if (service === undefined) return [];
  const { endpoint, info } = service;
  return ids.map((id, index) => {
    const scopes: readonly Scope[] = index === 0 ? ['object', 'service'] : ['object'];
    return { label: `drs/${id}`, endpoint, id, info, scopes, probe };
  });
}

/** Asks for the description of an object, or for what else lies below it. */
export function askObject({ endpoint, probe }: DrsSubject, id: string, suffix = ''): Promise<Answer> {
  return probe.ask({ url: `${endpoint}/objects/${encodeURIComponent(id)}${suffix}` });
}

/** A described object. */
export interface DescribedObject {
  readonly object: JsonObject;
  readonly answer: Answer;
}

/** Returns the description of an object. Ends the rule if there is none, which is a fault of its own. */
export async function describeObject(subject: DrsSubject, id: string): Promise<DescribedObject> {
  const answer = await askObject(subject, id);
  if (answer.status === 200 && answer.object !== undefined) return { object: answer.object, answer };
  throw new RuleEnd(inapplicable('the service does not describe the object'));
}

/** Returns the members of an array that are objects. */
export function objectsOf({ object }: DescribedObject, name: string): readonly JsonObject[] {
  const value: unknown = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns whether an object is a bundle: it has contents in place of access methods. */
function isBundle(described: DescribedObject): boolean {
  return objectsOf(described, 'contents').length > 0;
}

type ObjectCheck = (described: DescribedObject, subject: DrsSubject) => Verdict | Promise<Verdict>;

/** Makes the function `run` of a rule about the description of an object. */
export function withObject(check: ObjectCheck): Rule<DrsSubject>['run'] {
  return async (subject) => check(await describeObject(subject, subject.id), subject);
}

/** Makes a rule about bundles. */
export function withBundle(check: ObjectCheck): Rule<DrsSubject>['run'] {
  return withObject((described, subject) =>
    isBundle(described) ? check(described, subject) : inapplicable('the object is not a bundle'),
  );
}

/** Makes a rule about files: the object, or the first one in a bundle. */
export function withFile(check: ObjectCheck): Rule<DrsSubject>['run'] {
  return withObject(async (described, subject) => {
    if (!isBundle(described)) return check(described, subject);
    const id = objectsOf(described, 'contents')[0]?.['id'];
    if (typeof id !== 'string') return inapplicable('the bundle does not state the ids of its contents');
    const file = await describeObject(subject, id);
    return isBundle(file) ? inapplicable('the bundle contains bundles') : check(file, subject);
  });
}
