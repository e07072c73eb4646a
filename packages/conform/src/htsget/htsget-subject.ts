import { type Datatype, FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { ConformError } from '../conform-error.js';
import type { DiscoveredService } from '../discovery/discover.js';
import { type Answer, isJsonObject, type JsonObject } from '../engine/answer.js';
import type { Probe } from '../engine/probe.js';
import type { ProbeRequest } from '../engine/probe-request.js';
import type { Scope, Subject } from '../engine/rule.js';

/** An object of an htsget service in one of its formats. */
export interface HtsgetSubject extends Subject {
  readonly datatype: Datatype;
  /** The URL that ids are appended to. */
  readonly endpoint: string;
  readonly id: string;
  readonly format: HtsgetFormat;
  /** All formats that the object is answered in. */
  readonly formats: readonly HtsgetFormat[];
  /** The answer to `GET /service-info`. */
  readonly info: Answer;
  /** The member `htsget` of the service-info. Empty if it is missing. */
  readonly capabilities: JsonObject;
  /** The whole file in this format, as the operator has it. Default: the file that the service answers. */
  readonly truth?: Uint8Array;
  /** Names the references of the file and the records, as other programs read them. Undefined if none is installed. */
  readonly judge?: FileJudge;
}

/** Has another program read a file. Returns what is wrong with it, or undefined. */
export type FileJudge = (format: HtsgetFormat, bytes: Uint8Array) => Promise<string | undefined>;

export interface HtsgetSubjectOptions {
  readonly probe: Probe;
  readonly ids: readonly string[];
  readonly truth?: { readonly format: HtsgetFormat; readonly bytes: Uint8Array };
  readonly judge?: FileJudge;
}

/**
 * Returns the subjects of one service: each object in each format that its header is answered in. Throws `ConformError`
 * INVALID_TARGET for an object without a format.
 */
export async function findHtsgetSubjects(
  { path, endpoint, info }: DiscoveredService,
  { probe, ids, truth, judge }: HtsgetSubjectOptions,
): Promise<readonly HtsgetSubject[]> {
  const datatype = path === 'variants' ? 'variants' : 'reads';
  const htsget = info.object?.['htsget'];
  const capabilities = isJsonObject(htsget) ? htsget : {};
  const subjects: HtsgetSubject[] = [];
  for (const id of ids) {
    const formats = await findFormats(probe, { endpoint, id, datatype });
    for (const format of formats) {
      const label = `${datatype}/${id} ${format}`;
      const scopes: Scope[] = ['format'];
      if (format === formats[0]) scopes.push('object');
      if (subjects.length === 0) scopes.push('service');
      const shared = { datatype, endpoint, id, format, formats, info, capabilities, label, scopes, probe } as const;
      const known = truth?.format === format ? { truth: truth.bytes } : {};
      subjects.push({ ...shared, ...known, ...(judge && { judge }) });
    }
  }
  return subjects;
}

async function findFormats(
  probe: Probe,
  { endpoint, id, datatype }: { readonly endpoint: string; readonly id: string; readonly datatype: Datatype },
): Promise<readonly HtsgetFormat[]> {
  const formats: HtsgetFormat[] = [];
  let last: Answer | undefined;
  for (const format of FORMATS[datatype]) {
    last = await probe.ask(ticketRequest({ endpoint, id }, { format, class: 'header' }));
    if (last.status === 200) formats.push(format);
  }
  if (formats.length > 0) return formats;
  const message = `the service answers ${last?.status} for the header of ${datatype} "${id}" in every format`;
  throw new ConformError('INVALID_TARGET', message);
}

/** The parameters of a request for a ticket. Those that are undefined are left out. */
export type TicketParameters = Readonly<Record<string, string | undefined>>;

/** Returns the GET request for a ticket. */
export function ticketRequest(
  { endpoint, id }: Pick<HtsgetSubject, 'endpoint' | 'id'>,
  parameters: TicketParameters = {},
  headers: Readonly<Record<string, string>> = {},
): ProbeRequest {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return { url: `${endpoint}/${encodeId(id)}${query}`, headers };
}

/** Asks for a ticket of the subject in its format. */
export function askTicket(
  subject: HtsgetSubject,
  parameters: TicketParameters = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return subject.probe.ask(ticketRequest(subject, { format: subject.format, ...parameters }, headers));
}

/** Asks for a ticket of the subject in its format by POST. */
export function postTicket(subject: HtsgetSubject, body: JsonObject = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const text = JSON.stringify({ format: subject.format, ...body });
  return subject.probe.ask({ ...ticketRequest(subject), method: 'POST', headers, body: text });
}

/** Percent-encodes an id for a path. Slashes are part of ids, and are kept. */
function encodeId(id: string): string {
  return id.split('/').map(encodeURIComponent).join('/');
}
