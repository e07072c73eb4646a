import type { Discovery } from '../discovery/discover.js';
import { type Answer, isJsonObject, type JsonObject } from '../engine/answer.js';
import type { Probe } from '../engine/probe.js';
import type { Scope, Subject } from '../engine/rule.js';

/** A sequence of a refget service. */
export interface RefgetSubject extends Subject {
  /** The URL that the services of the target begin with: `/sequence`, `/collection` and others follow. */
  readonly base: string;
  /** The URL that ids are appended to. */
  readonly endpoint: string;
  /** The identifier that the caller names, or a digest that the service lists. */
  readonly id: string;
  /** The answer to `GET /sequence/service-info`. */
  readonly info: Answer;
  /** The member `refget` of the service-info, or `service` of version 1. Empty if it is missing. */
  readonly capabilities: JsonObject;
}

export interface RefgetSubjectOptions {
  readonly probe: Probe;
  readonly ids: readonly string[];
}

/** Returns the subjects of a refget service: each sequence. */
export function findRefgetSubjects(
  { base, services }: Discovery,
  { probe, ids }: RefgetSubjectOptions,
): readonly RefgetSubject[] {
  const service = services.find(({ path }) => path === 'sequence');
  if (service === undefined) return [];
  const { endpoint, info } = service;
  const refget = info.object?.['refget'] ?? info.object?.['service'];
  const capabilities = isJsonObject(refget) ? refget : {};
  return ids.map((id, index) => {
    const scopes: readonly Scope[] = index === 0 ? ['object', 'service'] : ['object'];
    return { label: `sequence/${id}`, base, endpoint, id, info, capabilities, scopes, probe };
  });
}

/** Asks for a sequence, or for what else lies below it: `/metadata`. */
export function askSequence(
  { endpoint, id, probe }: RefgetSubject,
  suffix = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return probe.ask({ url: `${endpoint}/${encodeURIComponent(id)}${suffix}`, headers });
}
