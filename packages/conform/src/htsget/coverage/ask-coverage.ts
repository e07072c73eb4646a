import { ConformError } from '../../conform-error.js';
import { type Answer, isJsonObject } from '../../engine/answer.js';
import type { Probe } from '../../engine/probe.js';
import type { ProbeRequest } from '../../engine/probe-request.js';
import { inapplicable, RuleEnd } from '../../engine/rule.js';
import { type HtsgetSubject, type TicketParameters, ticketRequest } from '../htsget-subject.js';

/** The path by which the OpenAPI document of a service announces coverage. */
const ANNOUNCED_PATH = '/coverage/{id}';

/** A request below `/coverage`. */
export interface CoverageRequest {
  /** Default: the id of the subject. */
  readonly id?: string;
  readonly parameters?: TicketParameters;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: ProbeRequest['method'];
}

/** Asks for the coverage of the subject. Ends the rule unless the service announces coverage and shows that of the subject. */
export async function askCoverage(
  { endpoint, id: ownId, datatype, probe }: HtsgetSubject,
  { id = ownId, parameters = {}, headers = {}, method = 'GET' }: CoverageRequest,
): Promise<Answer> {
  const base = endpoint.replace(/\/[^/]+$/, '');
  if (!(await isAnnounced(base, probe))) {
    throw new RuleEnd(inapplicable('the service does not announce coverage in /openapi.json'));
  }
  const stated = datatype === 'variants' ? { datatype, ...parameters } : parameters;
  const answer = await probe.ask({ ...ticketRequest({ endpoint: `${base}/coverage`, id }, stated, headers), method });
  if (answer.status === 401 || answer.status === 403) {
    throw new RuleEnd(inapplicable('the service does not show the coverage of the object'));
  }
  return answer;
}

/** Returns whether a service announces coverage. One without an OpenAPI document need not answer. */
async function isAnnounced(base: string, probe: Probe): Promise<boolean> {
  try {
    const paths = (await probe.ask({ url: `${base}/openapi.json` })).object?.['paths'];
    return isJsonObject(paths) && paths[ANNOUNCED_PATH] !== undefined;
  } catch (error) {
    if (error instanceof ConformError) return false;
    throw error;
  }
}

/** Asks for the bigWig of the subject. Ends the rule if there is none, or none yet. */
export async function askBigWig(
  subject: HtsgetSubject,
  request: Pick<CoverageRequest, 'headers' | 'method'> = {},
): Promise<Answer> {
  if (subject.datatype === 'variants') throw new RuleEnd(inapplicable('variants have no bigWig'));
  const answer = await askCoverage(subject, { ...request, id: `${subject.id}.bw` });
  if (answer.status === 404) throw new RuleEnd(inapplicable('the service has no bigWig of the object'));
  return answer;
}
