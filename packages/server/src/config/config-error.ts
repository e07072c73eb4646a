/** What is wrong with a configuration file, and where; lines and columns count from 1. */
export interface ConfigFault {
  readonly line: number;
  readonly column: number;
  /** The key, such as `htsget.locations[0].id`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A configuration file that cannot be used. Its message has a line for each fault, `FILE:LINE:COLUMN: KEY: …`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'INVALID_CONFIG';
  readonly faults: readonly ConfigFault[];

  constructor(file: string, faults: readonly ConfigFault[]) {
    super(faults.map((fault) => formatFault(file, fault)).join('\n'));
    this.faults = faults;
  }
}

/** A line for people, and for editors, which find the place by it. */
export function formatFault(file: string, { line, column, path, message }: ConfigFault): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}

/** By their places in the file. */
export function compareFaults(a: ConfigFault, b: ConfigFault): number {
  return a.line - b.line || a.column - b.column;
}
