import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/**
 * The answers of DRS 1.5 as JSON Schema, written from the text of the specification (`openapi/components/schemas` of
 * ga4gh/data-repository-service-schemas, Apache-2.0). Members that it does not name are errors.
 */
const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const PORTABLE = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' } as const;

const object = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const refer = (name: string): object => ({ $ref: `#/$defs/${name}` });
const list = (name: string, minItems = 0): object => ({ type: 'array', minItems, items: refer(name) });

const accessUrl = { url: { type: 'string', format: 'uri' }, headers: TEXTS };
const bulk = (member: string, name: string): object =>
  object({ summary: refer('Summary'), unresolved_drs_objects: list('Unresolved'), [member]: list(name) }, [
    'summary',
    'unresolved_drs_objects',
    member,
  ]);

const SCHEMAS = {
  AccessUrl: object(accessUrl, ['url']),
  BulkAccessUrl: object({ ...accessUrl, drs_object_id: TEXT, drs_access_id: TEXT }, ['url']),
  Authorizations: object(
    {
      drs_object_id: TEXT,
      supported_types: { type: 'array', items: { enum: ['None', 'BasicAuth', 'BearerAuth', 'PassportAuth'] } },
      passport_auth_issuers: TEXTS,
      bearer_auth_issuers: TEXTS,
    },
    [],
  ),
  AccessMethod: {
    ...object(
      {
        type: { enum: ['s3', 'gs', 'ftp', 'gsiftp', 'globus', 'htsget', 'https', 'file'] },
        access_url: refer('AccessUrl'),
        access_id: TEXT,
        authorizations: refer('Authorizations'),
      },
      ['type'],
    ),
    anyOf: [{ required: ['access_url'] }, { required: ['access_id'] }],
  },
  Checksum: object({ checksum: { type: 'string', pattern: '^[0-9a-f]+$' }, type: TEXT }, ['checksum', 'type']),
  ContentsObject: object({ name: PORTABLE, id: TEXT, drs_uri: TEXTS, contents: list('ContentsObject') }, ['name']),
  DrsObject: object(
    {
      id: TEXT,
      name: PORTABLE,
      self_uri: { type: 'string', pattern: '^drs://[^:/]+/[A-Za-z0-9._~%-]+$' },
      size: COUNT,
      created_time: { type: 'string', format: 'date-time' },
      updated_time: { type: 'string', format: 'date-time' },
      version: TEXT,
      mime_type: TEXT,
      checksums: list('Checksum', 1),
      access_methods: list('AccessMethod', 1),
      contents: list('ContentsObject'),
      description: TEXT,
      aliases: TEXTS,
    },
    ['id', 'self_uri', 'size', 'created_time', 'checksums'],
  ),
  Summary: object({ requested: COUNT, resolved: COUNT, unresolved: COUNT }, []),
  Unresolved: object({ error_code: { type: 'integer' }, object_ids: TEXTS }, []),
  BulkObjects: bulk('resolved_drs_object', 'DrsObject'),
  BulkAuthorizations: bulk('resolved_drs_object', 'Authorizations'),
  BulkAccessUrls: bulk('resolved_drs_object_access_urls', 'BulkAccessUrl'),
  Error: object({ msg: TEXT, status_code: { type: 'integer' } }, ['msg', 'status_code']),
  /** GA4GH service-info 1.0.0 with the members of DRS. */
  ServiceInfo: object(
    {
      id: TEXT,
      name: TEXT,
      type: object({ group: { const: 'org.ga4gh' }, artifact: { const: 'drs' }, version: TEXT }, [
        'group',
        'artifact',
        'version',
      ]),
      organization: object({ name: TEXT, url: { type: 'string', format: 'uri' } }, ['name', 'url']),
      version: TEXT,
      description: TEXT,
      maxBulkRequestLength: { type: 'integer', minimum: 1 },
      drs: object({ maxBulkRequestLength: { type: 'integer', minimum: 1 } }, ['maxBulkRequestLength']),
    },
    ['id', 'name', 'type', 'organization', 'version', 'maxBulkRequestLength', 'drs'],
  ),
};

export type SchemaName = keyof typeof SCHEMAS;

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
// A CommonJS module whose types are those of an ES module.
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

/** Returns the faults of an answer; none of a valid one. */
export function faultsOf(name: SchemaName, answer: unknown): readonly unknown[] {
  const validate = ajv.compile({ $ref: `#/$defs/${name}`, $defs: SCHEMAS });
  return validate(answer) ? [] : (validate.errors ?? []);
}
