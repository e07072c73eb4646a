import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describeError } from '../files/file-errors.node.js';
import { fileNameOf, isPlainPath, parseLocation } from '../locations/location.node.js';
import { objectKindOf, RESERVED_ID } from '../objects/object-catalogue.js';
import { parseDrsUri } from './drs-client.node.js';
import type { NamedLocation } from './named-files.node.js';

/** Longer lines are refused. */
const MAX_LINE_LENGTH = 16 * 1024;
/** The most rows of a table: they take some 300 bytes each. */
const MAX_ROWS = 2_000_000;
/** Milliseconds after which it is looked up whether the table has changed. */
const CHECK_MILLISECONDS = 2000;

type Rows = ReadonlyMap<string, readonly NamedLocation[]>;

/**
 * A table of ids: in each line an id, a location, and the location of the index if that is not beside the data, separated by tabs.
 * Empty lines and those that begin with `#` are skipped. The table is read again when it changes. If it is malformed then, the rows
 * from before stay, and the fault is logged once.
 */
export class IdTable {
  /** The folder that relative paths begin at: that of the table. */
  readonly folder: string;
  readonly #path: string | undefined;
  readonly #log: (message: string) => void;
  readonly #now: () => number;
  #rows: Rows;
  #state: string | undefined;
  #checked: number;
  #reading: Promise<void> | undefined;

  private constructor(rows: Rows, { path, log, state, now }: TableFile) {
    this.folder = path === undefined ? '/' : dirname(path);
    this.#path = path;
    this.#log = log;
    this.#now = now;
    this.#rows = rows;
    this.#state = state;
    this.#checked = now();
  }

  /** Reads a table. Throws Error with the path and the number of the line for one that is malformed, and system errors. */
  static async open(
    file: string,
    log: (message: string) => void,
    now: () => number = () => performance.now(),
  ): Promise<IdTable> {
    const path = resolve(file);
    const state = await stateOf(path);
    return new IdTable(await readRows(path), { path, log, state, now });
  }

  /** Creates a table of rows that do not change. */
  static of(rows: Iterable<readonly [id: string, row: NamedLocation]>): IdTable {
    const map = new Map(Array.from(rows, ([id, row]) => [id, [row]] as const));
    return new IdTable(map, { path: undefined, log: () => undefined, state: undefined, now: () => 0 });
  }

  /** Returns the rows of an id. */
  async rowsOf(id: string): Promise<readonly NamedLocation[]> {
    await this.#refresh();
    return this.#rows.get(id) ?? [];
  }

  /** Returns all rows by id. */
  async entries(): Promise<Rows> {
    await this.#refresh();
    return this.#rows;
  }

  #refresh(): Promise<void> {
    if (this.#path === undefined || this.#now() - this.#checked < CHECK_MILLISECONDS)
      return this.#reading ?? Promise.resolve();
    this.#checked = this.#now();
    this.#reading ??= this.#readAgain(this.#path).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAgain(path: string): Promise<void> {
    try {
      const state = await stateOf(path);
      if (state === this.#state) return;
      // A fault is found again when the table changes again.
      this.#state = state;
      this.#rows = await readRows(path);
    } catch (error) {
      this.#log(`${describeError(error)}; the ids are those from before`);
    }
  }
}

interface TableFile {
  readonly path: string | undefined;
  readonly log: (message: string) => void;
  readonly state: string | undefined;
  readonly now: () => number;
}

/** Differs whenever the file does. */
async function stateOf(path: string): Promise<string> {
  const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true });
  return [mtimeNs, ctimeNs, size, ino].join(' ');
}

async function readRows(path: string): Promise<Rows> {
  const rows = new Map<string, NamedLocation[]>();
  let number = 0;
  let count = 0;
  for await (const line of readLines(path)) {
    number++;
    if (line === '' || line.startsWith('#')) continue;
    try {
      if (line.length > MAX_LINE_LENGTH) throw new RangeError(`expected at most ${MAX_LINE_LENGTH} characters`);
      if (++count > MAX_ROWS) throw new RangeError(`expected at most ${MAX_ROWS} rows`);
      addRow(rows, line, dirname(path));
    } catch (error) {
      throw new Error(`${path}: line ${number}: ${describeError(error)}`, { cause: error });
    }
  }
  return rows;
}

function addRow(rows: Map<string, NamedLocation[]>, line: string, folder: string): void {
  const [id = '', location = '', index = '', ...rest] = line.split('\t');
  if (rest.length > 0 || location === '')
    throw new RangeError('expected an id, a location and perhaps an index, separated by tabs');
  if (!isPlainPath(id) || id === RESERVED_ID) throw new RangeError(`"${id}" cannot be an id`);
  const kind = kindOf(location, folder);
  if (index !== '') checkLocation(index, folder);
  const known = rows.get(id) ?? [];
  if (known.some((row) => kindOf(row.location, folder) === kind)) {
    throw new RangeError(
      `"${id}" has another ${kind === undefined ? 'object of a DRS server' : 'file of this format'}`,
    );
  }
  const row = { location, ...(index !== '' && { index }) };
  if (known.length === 0) rows.set(id, [row]);
  else known.push(row);
}

/** Returns the kind of file at a location, or undefined for an object of a DRS server. */
function kindOf(text: string, folder: string): string | undefined {
  if (parseDrsUri(text) !== undefined) return undefined;
  const kind = objectKindOf(fileNameOf(parseLocation(text, folder)));
  if (kind === undefined)
    throw new RangeError('expected *.bam, *.cram, *.vcf.gz, *.vcf.bgz or *.bcf, or drs://HOST/ID');
  return `${kind.datatype}/${kind.format}`;
}

function checkLocation(text: string, folder: string): void {
  if (parseDrsUri(text) === undefined) parseLocation(text, folder);
}

/** Yields the lines of a file, without their ends. One that is too long is cut, but longer than the limit. */
async function* readLines(path: string): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, 2 * MAX_LINE_LENGTH);
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}
