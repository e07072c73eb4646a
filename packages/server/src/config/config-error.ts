/** A fault of a configuration file and its place. Lines and columns are 1-based. */
export interface ConfigFault {
  readonly line: number;
  readonly column: number;
  /** The key, such as `htsget.locations[0].id`, or an empty string for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** An invalid configuration file. The message has one line per fault: `FILE:LINE:COLUMN: KEY: …`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'INVALID_CONFIG';
  readonly faults: readonly ConfigFault[];

  constructor(file: string, faults: readonly ConfigFault[]) {
    super(faults.map((fault) => formatFault(file, fault)).join('\n'));
    this.faults = faults;
  }
}

/** Formats a fault as a line from which editors can find the place. */
export function formatFault(file: string, { line, column, path, message }: ConfigFault): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}

/** Compares two faults by their places in the file. */
export function compareFaults(a: ConfigFault, b: ConfigFault): number {
  return a.line - b.line || a.column - b.column;
}
