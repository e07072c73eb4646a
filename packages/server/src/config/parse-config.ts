import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { ConfigDocument, type ConfigPath, type Environment } from './config-document.js';
import type { ConfigFault } from './config-error.js';
import { type Config, configSchema } from './schema.js';

export interface ParseConfigOptions {
  /** The path of the file, for messages. */
  readonly file: string;
  readonly environment: Environment;
}

export interface ParsedConfig {
  readonly config: Config;
  /** Creates a fault of the value at a path, for checks after parsing. */
  fault(path: ConfigPath, message: string): ConfigFault;
}

/**
 * Parses the text of `htskit.yaml`. Throws ConfigError with all faults: invalid YAML, variables that are not set, unknown keys,
 * and invalid values.
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
  // The value of a variable is text. If the schema expects a number or a boolean, the text is parsed as one.
  if (result.error?.issues.filter((issue) => retype(document, issue)).length) result = check();
  if (result.success) return { config: result.data, fault: (path, message) => document.fault(path, message) };
  const faults = result.error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [document.fault(issue.path, issue.message)];
    const known = knownKeys.get(JSON.stringify(issue.path)) ?? [];
    return issue.keys.map((key) => document.keyFault(issue.path, key, toUnknownKey(key, known)));
  });
  document.refuse(faults);
  throw new Error('unreachable: an invalid configuration without faults');
}

function retype(document: ConfigDocument, issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_type') return false;
  const { expected } = issue;
  if (expected !== 'number' && expected !== 'int' && expected !== 'boolean') return false;
  return document.retype(issue.path, expected === 'boolean' ? 'boolean' : 'number');
}

function toUnknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'unknown key';
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  const nearest = names.get(closest(key.toLowerCase(), [...names.keys()]));
  return `unknown key; did you mean "${nearest}"?`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
};

/** Describes what was expected. The value itself is left out: it may come from the environment and be a secret. */
function toMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'required key is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}, found ${typeNameOf(issue.input)}`;
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'must not be empty'
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
      return 'invalid value';
  }
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return TYPE_NAMES[typeof value] ?? typeof value;
}
