/** The parts of OpenAPI 3.1 that the document of this server consists of. */

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly SecurityRequirement[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly components: {
    readonly schemas: Schemas;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Responses;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/** None is a requirement that everybody meets. */
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export type Paths = Readonly<Record<`/${string}`, PathItem>>;

interface PathItem {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly get?: Operation;
  readonly post?: Operation;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly SecurityRequirement[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Responses;
}

export interface Reference {
  readonly $ref: `#/components/${string}`;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

/** By status, or by `4XX` and the like. */
export type Responses = Readonly<Record<string, Response | Reference>>;

/** By media type, without its parameters. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** JSON Schema 2020-12. */
export type Schema = Reference | { readonly [keyword: string]: unknown };

export type Schemas = Readonly<Record<string, Schema>>;

/** What an operation of a protocol always may answer with besides, by the name of its error response. */
export function withErrors(responses: Responses, { name, statuses }: ErrorResponses): Responses {
  const reference: Reference = { $ref: `#/components/responses/${name}` };
  return { ...responses, ...Object.fromEntries(statuses.map((status) => [status, reference])) };
}

export interface ErrorResponses {
  readonly name: string;
  readonly statuses: readonly number[];
}

export function refer(schema: string): Reference {
  return { $ref: `#/components/schemas/${schema}` };
}

/** An object of which some members are always there: all, unless they are told. */
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
