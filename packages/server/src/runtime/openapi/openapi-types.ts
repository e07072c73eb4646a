/** The part of OpenAPI 3.1 that the document of this server uses, and the functions that build it. */

export interface Reference {
  readonly $ref: `#/components/${string}`;
}

/** JSON Schema 2020-12. */
export type Schema = Reference | { readonly [keyword: string]: unknown };

export type Schemas = Readonly<Record<string, Schema>>;

/** By media type, without its parameters. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** By status. */
export type Responses = Readonly<Record<string, Response | Reference>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** An empty list is a requirement that everybody meets. */
  readonly security?: readonly never[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Responses;
}

interface PathItem {
  readonly parameters?: readonly Parameter[];
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
}

export type Paths = Readonly<Record<`/${string}`, PathItem>>;

/** Adds the error responses of a protocol to those of an operation. */
export function withErrors(name: string, statuses: readonly number[], responses: Responses): Responses {
  const reference: Reference = { $ref: `#/components/responses/${name}` };
  return { ...responses, ...Object.fromEntries(statuses.map((status) => [status, reference])) };
}

/** Returns content of one media type, whose parameters are left out. */
export function contentOf(mediaType: string, schema: Schema): Content {
  return { [mediaType.replace(/;.*/, '')]: { schema } };
}

export function jsonContent(schema: Schema): Content {
  return contentOf('application/json', schema);
}

export function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: TEXT };
}

export function queryParameter(name: string, description: string, schema: Schema = TEXT): Parameter {
  return { name, in: 'query', description, schema };
}

export function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: TEXT };
}

export function refer(schema: string): Reference {
  return { $ref: `#/components/schemas/${schema}` };
}

/** Returns the schema of an object. By default every property is required. */
export function objectOf(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export const TEXT: Schema = { type: 'string' };

export const COUNT: Schema = { type: 'integer', minimum: 0 };
