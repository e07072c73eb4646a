import fc from 'fast-check';

/** Sequences of bytes that decoders and regular expressions treat in a way of their own: BOM, U+2028, U+00A0, U+FFFD, surrogates. */
const SPECIAL = ['\ufeff', '\u2028', '\u2029', '\u0085', '\u00a0', '\ufffd', '😀', 'é'].map((text) => [
  ...new TextEncoder().encode(text),
]);
const PARTS = [...SPECIAL, [0xed, 0xb3, 0xa9], [0xc3], [0xe9], [0xe8], [0xff], [0x61], [0x41], [0x31]];

/** Names of any bytes but those of ASCII that have a meaning in the formats. */
export const nameBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PARTS),
      fc.integer({ min: 0x80, max: 0xff }).map((byte) => [byte]),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

/** Lists of different names. */
export const differentNames = (count: number): fc.Arbitrary<Uint8Array[]> =>
  fc.uniqueArray(nameBytes, { minLength: count, maxLength: count, selector: (name) => name.join() });

/** Returns the bytes of texts and the names between them. */
export function joinBytes(strings: TemplateStringsArray, ...names: readonly Uint8Array[]): Buffer {
  const encoder = new TextEncoder();
  return Buffer.concat(strings.flatMap((text, index) => [encoder.encode(text), names[index] ?? new Uint8Array(0)]));
}
