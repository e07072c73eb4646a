import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toConfigJsonSchema } from '../../src/config/schema.js';

const published = JSON.parse(readFileSync(new URL('../../htskit.schema.json', import.meta.url), 'utf8')) as object;

const validate = new Ajv({ validateFormats: false }).compile(published);

test('the published schema equals the generated one', () => {
  expect(published).toEqual(toConfigJsonSchema());
});

test.each<[string, boolean]>([
  ['{}', true],
  ['listen: { port: 80 }', true],
  [`listen: { port: "\${PORT}" }`, true],
  ['listen: { port: "80" }', false],
  ['listen: { prot: 80 }', false],
  ['authority: std', true],
  [`authority: \${AUTHORITY}`, true],
  ['authority: iso', false],
  [`tracing: { endpoint: "\${ENDPOINT}" }`, true],
  ['cors: { origins: "*" }', true],
  ['cors: { origins: [https://a.example] }', true],
  ['cors: { origins: all }', false],
  ['htsget: { locations: [{ location: ./data }] }', true],
  ['htsget: { locations: [{ location: [a] }] }', false],
  [`htsget: { locations: [{ match: a, location: "x/\${id}" }] }`, true],
  ['htsget: { locations: [{ ids: ids.tsv, forward: [cookie] }] }', false],
])('validates %s as %s', (text, isRight) => {
  expect(validate(parse(text))).toBe(isRight);
});
