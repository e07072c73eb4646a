import type { TabixSettings } from '../binning/tabix-header.js';
import { parseTabixLine, type TabixLineSpan } from './tabix-line.js';

const [SPACE, TAB, GREATER_THAN] = [0x20, 0x09, 0x3e];

/**
 * Tells the records of a text file from its other lines, which must be passed in order: blank ones, comments, lines of UCSC's
 * browser, and the sequences of GFF3. Readers and writers of indexes share it, so that they skip the same lines.
 */
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

  /**
   * Returns the span of a line without its line end, or undefined if it is not a record. Throws `FormatError` INVALID_DATA for any
   * other line, with an offset from its start.
   */
  parse(line: Uint8Array): TabixLineSpan | undefined {
    this.#isDone ||= isGff(this.#settings) && isFasta(line);
    if (this.#isDone || line.length === 0 || line[0] === this.#settings.metaCharacter) return undefined;
    try {
      return parseTabixLine(line, this.#settings);
    } catch (error) {
      // Only then: a reference may have the name "track".
      if (this.#settings.preset === 'generic' && isBrowserLine(line)) return undefined;
      throw error;
    }
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

/** Whether a line is one of UCSC's browser. */
function isBrowserLine(line: Uint8Array): boolean {
  return ['track', 'browser'].some(
    (word) => startsWith(line, word) && [undefined, SPACE, TAB].includes(line[word.length]),
  );
}

function startsWith(line: Uint8Array, word: string): boolean {
  for (let at = 0; at < word.length; at++) if (line[at] !== word.charCodeAt(at)) return false;
  return true;
}
