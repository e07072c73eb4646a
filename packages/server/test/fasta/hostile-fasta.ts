import { gzipSync } from 'node:zlib';

/** A record of a file, and the bases that its digests cover. */
type ExpectedRecord = readonly [name: string, bases: string];

/** A FASTA that is unlike what samtools writes, and the answer of `digest`, `refget import` and `serve` to it. */
export interface HostileFasta {
  readonly what: string;
  readonly bytes: Uint8Array;
  readonly characters?: 'letters' | 'strict' | 'sam';
  /** The records of the file; empty if it is refused. */
  readonly records: readonly ExpectedRecord[];
  /** The messages of each command, in order. */
  readonly reports: readonly RegExp[];
  /** Names of the records that `serve` leaves out without a cache folder. */
  readonly unplaced?: readonly string[];
}

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const LETTERS_OF_TWO: readonly ExpectedRecord[] = [
  ['good', 'ACGT'],
  ['other', 'MKV'],
];

export const HOSTILE_FASTA: readonly HostileFasta[] = [
  {
    what: 'the * at the end of a protein',
    bytes: ascii('>good\nACGT\n>other\nMKV*\n'),
    records: LETTERS_OF_TWO,
    reports: [
      /record "other" holds characters other than letters, which its digests omit: "\*" \(1\), first at position 4/,
      /1 of 2 records hold characters other than letters/,
    ],
  },
  {
    what: 'the * at the end of a protein, with --characters sam',
    bytes: ascii('>good\nACGT\n>other\nmkv*\n'),
    characters: 'sam',
    records: [
      ['good', 'ACGT'],
      ['other', 'MKV*'],
    ],
    reports: [],
  },
  {
    what: 'the * at the end of a protein, with --characters strict',
    bytes: ascii('>good\nACGT\n>other\nMKV*\n'),
    characters: 'strict',
    records: [],
    reports: [/record "other" holds characters other than letters: "\*" \(1\), first at position 4/],
  },
  {
    what: 'gaps, dots and digits between letters',
    bytes: ascii('>good\nACGT\n>other\nM-K.1V--\n'),
    records: LETTERS_OF_TWO,
    reports: [
      /record "other" holds .*: "1" \(1\), "-" \(3\), "\." \(1\), first at position 2/,
      /1 of 2 records hold characters other than letters/,
    ],
    unplaced: ['other'],
  },
  {
    what: 'gaps, dots and digits between letters, with --characters sam',
    bytes: ascii('>good\nACGT\n>other\nM-K.1V--\n'),
    characters: 'sam',
    records: [
      ['good', 'ACGT'],
      ['other', 'M-K.1V--'],
    ],
    reports: [],
  },
  {
    what: '> within a sequence line',
    bytes: ascii('>good\nACGT\n>other\nM>KV\n'),
    records: [],
    reports: [/record "other" has ">" within a line of its sequence: a line end before it is missing/],
  },
  {
    what: 'bytes that are not ASCII, with --characters sam',
    bytes: ascii('>good\nACGT\n>other\nMKV\xe9\x00\n'),
    characters: 'sam',
    records: LETTERS_OF_TWO,
    reports: [
      /record "other" holds bytes other than printable ASCII, .*: "\\x00" \(1\), "\\xe9" \(1\), first at position 4/,
      /1 of 2 records hold bytes other than printable ASCII/,
    ],
  },
  {
    what: 'lines of different lengths',
    bytes: ascii('>good\nACGT\n>uneven\nAC\nACGT\nA\n'),
    records: [
      ['good', 'ACGT'],
      ['uneven', 'ACACGTA'],
    ],
    reports: [],
    unplaced: ['uneven'],
  },
  {
    what: 'lines of different lengths, with --characters strict',
    bytes: ascii('>good\nACGT\n>uneven\nAC\nACGT\nA\n'),
    characters: 'strict',
    records: [
      ['good', 'ACGT'],
      ['uneven', 'ACACGTA'],
    ],
    reports: [],
    unplaced: ['uneven'],
  },
  {
    what: 'white space and blank lines within a sequence',
    bytes: ascii('>good\nACGT\n>spaced\nAC GT\tA\n\nCC\n'),
    records: [
      ['good', 'ACGT'],
      ['spaced', 'ACGTACC'],
    ],
    reports: [],
    unplaced: ['spaced'],
  },
  {
    what: 'lines that end with CR alone',
    bytes: ascii('>good\rACGT\r>other\rMKV\r'),
    records: [],
    reports: [/record "good" has lines that end with CR alone; convert them to LF/],
  },
  {
    what: 'CR alone before the second record',
    bytes: ascii('>good\nACGT\r>other\nMKV\n'),
    records: [],
    reports: [/record "good" has lines that end with CR alone; convert them to LF/],
  },
  {
    what: 'CRLF in some lines only',
    bytes: ascii('>good\r\nACGT\r\n>other\nMKV\n'),
    records: LETTERS_OF_TWO,
    reports: [],
  },
  {
    what: 'a byte order mark',
    bytes: Buffer.from('\ufeff>good\nACGT\n>other\nMKV\n'),
    records: LETTERS_OF_TWO,
    reports: [],
  },
  {
    what: 'gzip without BGZF blocks',
    bytes: gzipSync('>good\nACGT\n>other\nMKV\n'),
    records: LETTERS_OF_TWO,
    reports: [],
    unplaced: ['good', 'other'],
  },
  {
    what: 'one name twice',
    bytes: ascii('>good\nACGT\n>good\nMKV\n'),
    records: [
      ['good', 'ACGT'],
      ['good', 'MKV'],
    ],
    reports: [],
  },
  {
    what: 'a record without a name',
    bytes: ascii('>good\nACGT\n>\nMKV\n'),
    records: [
      ['good', 'ACGT'],
      ['', 'MKV'],
    ],
    reports: [/record 2 has no name/],
  },
  {
    what: 'a record without a name, with --characters strict',
    bytes: ascii('>good\nACGT\n> \nMKV\n'),
    characters: 'strict',
    records: [],
    reports: [/record 2 has no name/],
  },
  {
    what: 'a record without bases',
    bytes: ascii('>good\nACGT\n>empty\n\n'),
    records: [
      ['good', 'ACGT'],
      ['empty', ''],
    ],
    reports: [],
  },
  {
    what: 'text before the first record',
    bytes: ascii('; made by hand\n>good\nACGT\n'),
    records: [],
    reports: [/not FASTA data: expected ">" at the start/],
  },
];
