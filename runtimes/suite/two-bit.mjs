/** A 2bit file (UCSC, "2bit format") of one sequence, `a`: ACGTNNac, whose `ac` is masked. */
export const TWO_BIT = Uint8Array.of(
  ...[0x43, 0x27, 0x41, 0x1a], // signature, little-endian
  ...[0, 0, 0, 0], // version
  ...[1, 0, 0, 0], // number of sequences
  ...[0, 0, 0, 0], // reserved
  ...[1, 0x61], // length of the name, name
  ...[22, 0, 0, 0], // offset of the record
  ...[8, 0, 0, 0], // bases
  ...[1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0], // one run of N: where, how long
  ...[1, 0, 0, 0, 6, 0, 0, 0, 2, 0, 0, 0], // one run of lower case
  ...[0, 0, 0, 0], // reserved
  ...[0b10_01_11_00, 0b00_00_10_01], // T is 0, C 1, A 2, G 3
);
