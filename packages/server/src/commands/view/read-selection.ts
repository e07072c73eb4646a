import { InvalidArgumentError } from 'commander';

/** The reads to keep, as the options of samtools view of the same letters select them. */
export interface ReadSelection {
  /** `-q`: the least mapping quality. */
  readonly minMapq?: number;
  /** `-f`: flags that all must be set. */
  readonly requireFlags?: number;
  /** `-F`: flags that must not be set. */
  readonly excludeFlags?: number;
  /** The read groups of `-r`. As with samtools, reads without a read group are kept. */
  readonly readGroups?: readonly string[];
}

/** The names of the bits of FLAG, from the lowest on, as `samtools flags` prints them (SAMv1 §1.4). */
const FLAG_NAMES: readonly string[] = [
  ...['PAIRED', 'PROPER_PAIR', 'UNMAP', 'MUNMAP', 'REVERSE', 'MREVERSE'],
  ...['READ1', 'READ2', 'SECONDARY', 'QCFAIL', 'DUP', 'SUPPLEMENTARY'],
];

/** Parses flags: a decimal, hexadecimal or octal number, or names separated by commas. Repeated options add up. */
export function parseFlags(text: string, previous = 0): number {
  const [, hexadecimal, octal, decimal] = /^(?:0x([0-9a-f]{1,4})|0([0-7]{1,6})|(\d{1,5}))$/i.exec(text) ?? [];
  if (hexadecimal !== undefined) return previous | Number.parseInt(hexadecimal, 16);
  if (octal !== undefined) return previous | Number.parseInt(octal, 8);
  if (decimal !== undefined) return previous | Number(decimal);
  return text.split(',').reduce((flags, name) => {
    const bit = FLAG_NAMES.indexOf(name.toUpperCase());
    if (bit < 0) throw new InvalidArgumentError(`expected a number, or names of ${FLAG_NAMES.join(', ')}.`);
    return flags | (1 << bit);
  }, previous);
}

/** Parses a mapping quality. */
export function parseMapq(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw new InvalidArgumentError('expected a mapping quality from 0 to 255; --quiet has no short form here.');
}
