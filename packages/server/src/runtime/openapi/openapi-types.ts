/** The part of OpenAPI 3.1 that the document of this server uses. */

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

/** An empty object is a requirement that everybody meets. */
type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export type Paths = Readonly<Record<`/${string}`, PathItem>>;

interface PathItem {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
}

export interface OpenApiOperation {
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

/** By status, or by a range such as `4XX`. */
export type Responses = Readonly<Record<string, Response | Reference>>;

/** By media type, without its parameters. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** JSON Schema 2020-12. */
export type Schema = Reference | { readonly [keyword: string]: unknown };

export type Schemas = Readonly<Record<string, Schema>>;

/** Adds the error responses of a protocol to those of an operation. */
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
