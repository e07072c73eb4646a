import { z } from 'zod';
import { configSchema } from './schema.js';

const ID = 'https://unpkg.com/@htskit/server/htskit.schema.json';
/** Editors validate the file before variables are expanded, so `${NAME}` is allowed in place of any value. */
const VARIABLE = { type: 'string', pattern: '\\$\\{' } as const;

/** Returns the JSON Schema (draft 7) of `htskit.yaml`, for editors. */
export function toConfigJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => allowVariable(jsonSchema),
  });
  return { $schema, $id: ID, title: 'htskit.yaml', ...schema };
}

/** Allows a variable unless the schema allows any text already. */
function allowVariable(schema: z.core.JSONSchema.BaseSchema): void {
  const { type, anyOf } = schema;
  if (anyOf !== undefined || type === 'object' || type === 'array') return;
  const isAnyText = [schema.enum, schema.const, schema.format, schema.pattern].every((rule) => rule === undefined);
  if (type === 'string' && isAnyText) return;
  const { description, ...rest } = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, description === undefined ? {} : { description }, { anyOf: [rest, VARIABLE] });
}
