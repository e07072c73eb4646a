import type { TabixSettings } from '../binning/tabix-header.js';

const [CARRIAGE_RETURN, SPACE, TAB, GREATER_THAN] = [0x0d, 0x20, 0x09, 0x3e];

/** Tells the records of a text file from its other lines, which must be passed in order: blank ones, comments, lines of UCSC's browser, and the sequences of GFF3. */
export class TabixRecords {
  readonly #settings: Omit<TabixSettings, 'skippedLines'>;
  #isDone = false;

  constructor(settings: Omit<TabixSettings, 'skippedLines'>) {
    this.#settings = settings;
  }

  /** Whether only sequences follow. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether a line, without its line feed, is a record. */
  includes(line: Uint8Array): boolean {
    this.#isDone ||= isGff(this.#settings) && isFasta(line);
    if (this.#isDone || line[0] === this.#settings.metaCharacter) return false;
    const isBlank = line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN);
    return !isBlank && !(this.#settings.isZeroBased && (startsWith(line, 'track') || startsWith(line, 'browser')));
  }
}

/** Whether the columns are those of GFF. */
function isGff({
  preset,
  isZeroBased,
  sequenceColumn,
  startColumn,
  endColumn,
}: Omit<TabixSettings, 'skippedLines'>): boolean {
  return preset === 'generic' && !isZeroBased && sequenceColumn === 1 && startColumn === 4 && endColumn === 5;
}

/** Whether a line begins the sequences of a GFF3 file. */
function isFasta(line: Uint8Array): boolean {
  return line[0] === GREATER_THAN || startsWith(line, '##FASTA');
}

/** Whether a line begins with a word that white space or the end of the line follows. */
function startsWith(line: Uint8Array, word: string): boolean {
  for (let at = 0; at < word.length; at++) if (line[at] !== word.charCodeAt(at)) return false;
  return [undefined, SPACE, TAB, CARRIAGE_RETURN].includes(line[word.length]);
}
