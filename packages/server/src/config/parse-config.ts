import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Environment } from './config-document.js';
import { ConfigDocument, type ConfigPath } from './config-document.js';
import type { ConfigFault } from './config-error.js';
import { nearestKey } from './nearest-key.js';
import { type Config, configSchema } from './schema.js';

export interface ParseConfigOptions {
  /** How the file is called in messages. */
  readonly file: string;
  readonly environment: Environment;
}

export interface ParsedConfig {
  readonly config: Config;
  /** A fault of the value at a path, which came to light later. */
  fault(path: ConfigPath, message: string): ConfigFault;
}

/**
 * Reads the text of `htskit.yaml`. Throws ConfigError, with all faults that were found, for text that is no YAML, variables
 * that the environment does not have, keys that are unknown, and values that are of another type or make no sense.
 */
export function parseConfig(text: string, options: ParseConfigOptions): ParsedConfig {
  const document = new ConfigDocument(text, options);
  const knownKeys = new Map<string, readonly string[]>();
  const check = (): z.ZodSafeParseResult<Config> =>
    configSchema.safeParse(document.toValue(), {
      error: (issue) => {
        if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
          knownKeys.set(JSON.stringify(issue.path ?? []), Object.keys(issue.inst.shape));
        }
        return toMessage(issue);
      },
    });
  let result = check();
  // A variable is text, whatever it holds; where the schema asks for a number it may hold one.
  if (result.error?.issues.filter((issue) => retype(document, issue)).length) result = check();
  if (result.success) return { config: result.data, fault: (path, message) => document.fault(path, message) };
  const faults = result.error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [document.fault(issue.path, issue.message)];
    const nearest = knownKeys.get(JSON.stringify(issue.path)) ?? [];
    return issue.keys.map((key) => document.keyFault(issue.path, key, toUnknownKey(key, nearest)));
  });
  document.refuse(faults);
  throw new Error('a fault of the configuration was lost');
}

function retype(document: ConfigDocument, issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_type') return false;
  const { expected } = issue;
  if (expected !== 'number' && expected !== 'int' && expected !== 'boolean') return false;
  return document.retype(issue.path, expected === 'boolean' ? 'boolean' : 'number');
}

function toUnknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestKey(key, known);
  return nearest === undefined ? 'there is no such key' : `there is no such key; the nearest is ${nearest}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
};

/** What was expected. What was found is not told: it may come from the environment, and be a secret. */
function toMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'it is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}, found ${typeNameOf(issue.input)}`;
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'expected it not to be empty'
        : `expected ${issue.minimum} or more`;
    case 'too_big':
      return `expected ${issue.maximum} or less`;
    case 'invalid_format':
      return `expected a valid ${issue.format}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return 'expected another value';
  }
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return TYPE_NAMES[typeof value] ?? typeof value;
}

/** Reads a configuration file, with the variables of this process. Throws as `parseConfig`, and where it cannot be read. */
export async function readConfig(file: string): Promise<ParsedConfig> {
  return parseConfig(await readFile(file, 'utf8'), { file, environment: process.env });
}
