import { RemoteStorage } from '@htskit/catalogue/internal';
import { BlockCache } from '@htskit/storage/cache';
import type { ConfigPath, Environment } from '../../config/config-document.js';
import { ConfigError, type ConfigFault, compareFaults } from '../../config/config-error.js';
import { type ParsedConfig, parseConfig } from '../../config/parse-config.js';
import { type ConfiguredOptions, toServeOptions } from '../../config/serve-options.js';
import { describeError } from '../../errors.js';
import { TlsFiles } from '../../runtime/tls-files.js';
import { checkObjects, checkSequences, type ObjectReport, type SequenceReport } from './check-locations.js';

/** The faults of a configuration, and what it would serve. */
export interface ConfigReport {
  readonly file: string;
  readonly faults: readonly ConfigFault[];
  readonly objects: readonly ObjectReport[];
  readonly sequences: readonly SequenceReport[];
}

export interface CheckConfigOptions {
  /** The path of the file. */
  readonly file: string;
  readonly text: string;
  readonly environment: Environment;
}

/** Checks a configuration and everything it names. It makes a few requests for each remote location. */
export async function checkConfig({ file, text, environment }: CheckConfigOptions): Promise<ConfigReport> {
  let parsed: ParsedConfig;
  try {
    parsed = parseConfig(text, { file, environment });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { file, faults: error.faults, objects: [], sequences: [] };
  }
  return new Checker(parsed).check({ file, environment });
}

class Checker {
  readonly #parsed: ParsedConfig;
  readonly #faults: ConfigFault[] = [];

  constructor(parsed: ParsedConfig) {
    this.#parsed = parsed;
  }

  async check({ file, environment }: Omit<CheckConfigOptions, 'text'>): Promise<ConfigReport> {
    const { config } = this.#parsed;
    const { auth, ...others } = config;
    const flags = { paths: [] };
    const options = await toServeOptions({ config: others, file, flags, environment });
    await this.#attempt(['auth'], () => toServeOptions({ config: { auth }, file, flags, environment }));
    await this.#attempt(['listen', 'tls'], () => checkTls(options));
    const storage = new RemoteStorage({
      s3: options.s3 ?? {},
      cache: new BlockCache({ maxBytes: 0 }),
      presignSeconds: 1,
    });
    const objects: ObjectReport[] = [];
    for (const [index, location] of (options.objectLocations ?? []).entries()) {
      const path = ['htsget', 'locations', index, 'location'];
      objects.push(...(await this.#attempt(path, () => checkObjects(location, storage))));
    }
    const sequences: SequenceReport[] = [];
    for (const [index, location] of (options.sequenceLocations ?? []).entries()) {
      const path = ['refget', 'sources', index, 'location'];
      sequences.push(...(await this.#attempt(path, () => checkSequences(location, storage))));
    }
    return { file, faults: this.#faults.sort(compareFaults), objects, sequences };
  }

  /** Returns the result in a list. A failure is recorded as a fault of the value at `path`, and the list is empty. */
  async #attempt<Result>(path: ConfigPath, act: () => Promise<Result>): Promise<Result[]> {
    try {
      return [await act()];
    } catch (error) {
      this.#faults.push(this.#parsed.fault(path, describeError(error)));
      return [];
    }
  }
}

async function checkTls({ tls }: ConfiguredOptions): Promise<void> {
  if (tls !== undefined) (await TlsFiles.open(tls, { log: () => undefined })).close();
}
