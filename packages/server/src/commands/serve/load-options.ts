import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Authority } from '@htskit/protocol';
import type { CharacterPolicy } from '@htskit/sequences';
import { parseConfig } from '../../config/parse-config.js';
import type { Config } from '../../config/schema.js';
import type { LogSection, ProcessesSetting } from '../../config/sections/operation.js';
import { toServeOptions } from '../../config/serve-options.js';
import type { Logger } from '../../runtime/logger.js';
import type { ServeOptions } from '../../runtime/serve.js';
import { Identity } from '../../stored-file/identity.js';
import { type ProgressBar, startDigestProgress } from '../../terminal/progress.js';

/** The options of `htskit serve`. */
export interface ServeCommandFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly publicUrl?: string;
  readonly authority?: Authority;
  readonly namingAuthority?: string;
  readonly circular: readonly string[];
  readonly aliases: readonly string[];
  readonly cache?: string;
  readonly identity: readonly string[];
  readonly characters?: CharacterPolicy;
  readonly processes?: ProcessesSetting;
  readonly examples: boolean;
}

/** The options of the command line. */
export interface ServeArguments {
  readonly paths: readonly string[];
  readonly flags: ServeCommandFlags;
}

export interface LoadedOptions {
  readonly config: Config;
  readonly serve: Omit<ServeOptions, 'log' | 'logger' | 'startProgress'>;
  readonly logSection: LogSection | undefined;
  /** The number of processes. */
  readonly processes: number;
}

/** Reads the text of the configuration, if there is one. Throws the errors of the file system. */
export async function readConfigText({ flags }: ServeArguments): Promise<string | undefined> {
  return flags.config === undefined ? undefined : readFile(flags.config, 'utf8');
}

/** Parses a configuration and applies the options of the command line to it. Throws the errors of `toServeOptions`. */
export async function loadOptions({ paths, flags }: ServeArguments, text: string | undefined): Promise<LoadedOptions> {
  const { config: file = 'htskit.yaml', namingAuthority, circular, aliases } = flags;
  const { env: environment } = process;
  const config: Config = text === undefined ? {} : parseConfig(text, { file, environment }).config;
  const servedPaths = text === undefined && paths.length === 0 ? ['.'] : paths;
  const options = await toServeOptions({ config, file, flags: { ...flags, paths: servedPaths }, environment });
  const processes = flags.processes ?? config.processes ?? 1;
  return {
    config,
    serve: {
      ...options,
      namingAuthority,
      circular,
      aliases,
      cache: flags.cache ?? options.cache,
      decrypt: flags.identity.length > 0 ? await new Identity(flags.identity).openDecrypt() : options.decrypt,
      characters: flags.characters ?? options.characters,
    },
    // Without a configuration, a person started the server and reads its log.
    logSection: text === undefined ? { format: 'text' } : config.log,
    processes: processes === 'auto' ? availableParallelism() : processes,
  };
}

/** Returns the options of a server that writes to a log. */
export function withLogger({ serve }: LoadedOptions, logger: Logger): ServeOptions {
  const log = (message: string): void => logger.warn(message);
  const startProgress = (name: string, byteLength: number): ProgressBar => startDigestProgress(name, byteLength, log);
  return { ...serve, log, logger, startProgress };
}
