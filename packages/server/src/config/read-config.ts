import { readFile } from 'node:fs/promises';
import { type ParsedConfig, parseConfig } from './parse-config.js';

/** Reads a configuration file, with the variables of this process. Throws as `parseConfig`, and where it cannot be read. */
export async function readConfig(file: string): Promise<ParsedConfig> {
  return parseConfig(await readFile(file, 'utf8'), { file, environment: process.env });
}
