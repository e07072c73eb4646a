// Writes BAI, CSI and TBI (SAMv1 §5.2, CSIv1, Tabix) without the writers of the packages.
import { REFERENCES } from './references.mjs';

const PSEUDO_BIN = 37_450;
const NO_COORDINATE_COUNT = 1_000_000;

/** Returns a BAI of some 9 MB. */
export function formatBai(file) {
  return write(file, (writer) => {
    writer.text('BAI\x01');
    writer.words(file.references.length);
    for (const reference of file.references) {
      writer.words(reference.bins.size + 1);
      for (const [number, chunks] of inHashOrder(reference.bins)) {
        writer.words(number, chunks.length / 2);
        for (const position of chunks) writer.offset(position);
      }
      writer.words(PSEUDO_BIN);
      writeStatistics(writer, reference);
      writeWindows(writer, reference);
    }
    writer.words(NO_COORDINATE_COUNT, 0);
  });
}

/** Returns an uncompressed CSI of the same file, with the bins of a BAI. */
export function formatCsi(file) {
  return write(file, (writer) => {
    writer.text('CSI\x01');
    writer.words(14, 5, 0, file.references.length);
    for (const reference of file.references) {
      writer.words(reference.bins.size + 1);
      for (const [number, chunks] of inHashOrder(reference.bins)) {
        writer.words(number);
        writer.offset(reference.windows[firstWindow(number)]);
        writer.words(chunks.length / 2);
        for (const position of chunks) writer.offset(position);
      }
      writer.words(PSEUDO_BIN, 0, 0);
      writeStatistics(writer, reference);
    }
    writer.words(NO_COORDINATE_COUNT, 0);
  });
}

/** Returns an uncompressed TBI of a VCF, some 7 MB. */
export function formatTbi(file) {
  const names = REFERENCES.map(({ name }) => `${name}\0`).join('');
  return write(file, (writer) => {
    writer.text('TBI\x01');
    writer.words(file.references.length, 2, 1, 2, 0, '#'.charCodeAt(0), 0, names.length);
    writer.text(names);
    for (const reference of file.references) {
      writer.words(reference.bins.size + 1);
      for (const [number, chunks] of inHashOrder(reference.bins)) {
        writer.words(number, chunks.length / 2);
        for (const position of chunks) writer.offset(position);
      }
      writer.words(PSEUDO_BIN);
      writeStatistics(writer, reference);
      writeWindows(writer, reference);
    }
    writer.words(0, 0);
  });
}

function writeStatistics(writer, { start, end, recordCount }) {
  writer.words(2);
  writer.offset(start);
  writer.offset(end);
  writer.words(recordCount, 0, Math.floor(recordCount / 200), 0);
}

function writeWindows(writer, { windows }) {
  writer.words(windows.length);
  for (const position of windows) writer.offset(position);
}

/** htslib writes bins in the order of its hash table; any order but the numeric one models that. */
function inHashOrder(bins) {
  return [...bins].sort(([a], [b]) => Math.imul(a, 0x9e3779b1) - Math.imul(b, 0x9e3779b1));
}

function firstWindow(number) {
  let first = 0;
  let count = 1;
  for (let span = 2 ** 15; ; span /= 8) {
    if (number < first + count) return (number - first) * span;
    first += count;
    count *= 8;
  }
}

function write({ references, locate }, give) {
  const numbers = references.flatMap(({ bins, windows }) =>
    [...bins.values(), windows].map(({ length }) => length + 4),
  );
  const bytes = Buffer.alloc(8 * numbers.reduce((sum, count) => sum + count, 1000));
  let at = 0;
  const words = (...values) => {
    for (const value of values) at = bytes.writeUInt32LE(value, at);
  };
  give({
    words,
    text: (text) => (at += bytes.write(text, at, 'latin1')),
    // A window without an earlier record has 0, as is usual.
    offset: (position) => {
      const { coffset, uoffset } = position === undefined ? { coffset: 0, uoffset: 0 } : locate(position);
      words((coffset % 65_536) * 65_536 + uoffset, Math.floor(coffset / 65_536));
    },
  });
  return bytes.subarray(0, at);
}
