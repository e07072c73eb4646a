import { FORMATS } from '@htskit/protocol';
import { describeAnswer, excerpt, isJsonObject } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import type { HtsgetSubject } from '../htsget-subject.js';

const SECTION = 'Service-info document';

/** The formats that the member `formats` may list. */
const LISTABLE: ReadonlySet<unknown> = new Set(['BAM', 'CRAM', 'VCF', 'BCF']);

/** Runs a check of a service-info document. Does not apply without one. */
function checkInfo(
  check: (document: Readonly<Record<string, unknown>>, subject: HtsgetSubject) => readonly [boolean, string, unknown],
): (subject: HtsgetSubject) => Promise<Verdict> {
  return async (subject) => {
    const { info } = subject;
    if (info.status !== 200 || info.object === undefined) return inapplicable('the service has no service-info');
    const [isKept, expected, found] = check(info.object, subject);
    return isKept ? KEPT : broken(info, { expected, found: excerpt(JSON.stringify(found) ?? 'nothing') });
  };
}

function typeOf(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isJsonObject(document['type']) ? document['type'] : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Rules about the members that all services of GA4GH have. */
const DOCUMENT_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    id: 'htsget.service-info.status',
    section: 'Endpoints',
    level: 'SHOULD',
    scope: 'service',
    title: 'answers 200 for service-info with a JSON object',
    async run({ info }) {
      if (info.status === 200 && info.object !== undefined) return KEPT;
      return broken(info, { expected: 'status 200 and a JSON object', found: describeAnswer(info) });
    },
  },
  {
    id: 'htsget.service-info.no-token',
    section: 'Authentication 5',
    level: 'MUST',
    scope: 'service',
    title: 'answers service-info without a token',
    async run({ info, probe }) {
      if (info.status !== 200) return inapplicable('the service has no service-info');
      const answer = await probe.ask({ ...info.request, isAuthorized: false });
      return answer.status === 200 ? KEPT : broken(answer, { expected: 'status 200', found: describeAnswer(answer) });
    },
  },
  {
    id: 'htsget.service-info.artifact',
    section: SECTION,
    level: 'MUST',
    scope: 'service',
    title: 'has the artifact htsget in service-info',
    run: checkInfo((document) => {
      const { artifact } = typeOf(document);
      return [artifact === 'htsget', 'type.artifact "htsget"', artifact];
    }),
  },
  {
    id: 'htsget.service-info.group',
    section: SECTION,
    level: 'MAY',
    scope: 'service',
    title: 'has the group org.ga4gh in service-info',
    run: checkInfo((document) => {
      const { group } = typeOf(document);
      return [group === undefined || group === 'org.ga4gh', 'type.group "org.ga4gh"', group];
    }),
  },
  {
    id: 'htsget.service-info.version',
    section: 'Versioning 3',
    level: 'SHOULD',
    scope: 'service',
    title: 'has a version of the protocol in service-info',
    run: checkInfo((document) => {
      const { version } = typeOf(document);
      const isVersion = typeof version === 'string' && /^v?1\.\d+(?:\.\d+)?$/.test(version);
      return [isVersion, 'type.version such as "1.3.1"', version];
    }),
  },
  {
    id: 'htsget.service-info.base-fields',
    section: SECTION,
    level: 'SHOULD',
    scope: 'service',
    title: 'has id, name, version and organization in service-info',
    run: checkInfo((document) => {
      const { organization } = document;
      const isNamed = isJsonObject(organization) && isText(organization['name']) && isText(organization['url']);
      const missing = ['id', 'name', 'version'].filter((name) => !isText(document[name]));
      if (!isNamed) missing.push('organization with name and url');
      return [missing.length === 0, 'texts id, name, version, organization.name, organization.url', { missing }];
    }),
  },
  {
    id: 'htsget.service-info.times',
    section: 'What the service does 8',
    level: 'MUST',
    scope: 'service',
    title: 'writes the times of service-info in ISO 8601',
    run: checkInfo((document) => {
      const times = [document['createdAt'], document['updatedAt']].filter((time) => time !== undefined);
      const isIso = (time: unknown): boolean =>
        typeof time === 'string' &&
        /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(time);
      return [times.every(isIso), 'times such as 2024-01-31T12:00:00Z', times];
    }),
  },
];

/** Rules about the member htsget. */
const CAPABILITY_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    id: 'htsget.service-info.htsget',
    section: SECTION,
    level: 'SHOULD',
    scope: 'service',
    title: 'has an object htsget in service-info',
    run: checkInfo(({ htsget }) => [isJsonObject(htsget), 'an object htsget', htsget]),
  },
  {
    id: 'htsget.service-info.datatype',
    section: SECTION,
    level: 'MUST',
    scope: 'service',
    title: 'names its own datatype in service-info',
    run: checkInfo((_, { datatype, capabilities }) => {
      const found = capabilities['datatype'];
      return [found === undefined || found === datatype, `htsget.datatype "${datatype}"`, found];
    }),
  },
  {
    id: 'htsget.service-info.formats',
    section: SECTION,
    level: 'MUST',
    scope: 'service',
    title: 'lists formats of its datatype in service-info',
    run: checkInfo((_, { datatype, capabilities }) => {
      const { formats } = capabilities;
      const own: ReadonlySet<unknown> = new Set(FORMATS[datatype].filter((format) => LISTABLE.has(format)));
      const isKept = formats === undefined || (Array.isArray(formats) && formats.every((format) => own.has(format)));
      return [isKept, `htsget.formats with some of ${[...own].join(', ')}`, formats];
    }),
  },
  {
    id: 'htsget.service-info.answered-formats',
    section: SECTION,
    level: 'SHOULD',
    scope: 'format',
    title: 'lists the formats that it answers in service-info',
    run: checkInfo((_, { format, capabilities }) => {
      const { formats } = capabilities;
      const isKept = !Array.isArray(formats) || !LISTABLE.has(format) || formats.includes(format);
      return [isKept, `htsget.formats with ${format}`, formats];
    }),
  },
  {
    id: 'htsget.service-info.effective',
    section: SECTION,
    level: 'MUST',
    scope: 'service',
    title: 'states as booleans whether fields and tags take effect',
    run: checkInfo((_, { capabilities }) => {
      const { fieldsParameterEffective: fields, tagsParametersEffective: tags } = capabilities;
      const isKept = [fields, tags].every((value) => value === undefined || typeof value === 'boolean');
      return [isKept, 'true, false or nothing', { fields, tags }];
    }),
  },
];

export const SERVICE_INFO_RULES: readonly Rule<HtsgetSubject>[] = [...DOCUMENT_RULES, ...CAPABILITY_RULES];
