/** UTF-16 code units of a piece of text, but for the last one. */
const PIECE_LENGTH = 65_536;

/** The canonical JSON text (RFC 8785) of an array in pieces, from that of each element: memory does not grow with it. */
export function* canonicalArray(length: number, toText: (index: number) => string): Generator<string, void> {
  let text = '[';
  for (let index = 0; index < length; index++) {
    text += index === 0 ? toText(index) : `,${toText(index)}`;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

/** The canonical JSON text of a string, which must be well-formed: ECMAScript's is the one that RFC 8785 §3.2.2.2 asks for. */
export function canonicalString(text: string): string {
  return JSON.stringify(text);
}

/** Whether a string has a canonical JSON text: none of its surrogates stands alone. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The texts as UTF-8, short ones together. */
export function* encodeTexts(texts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  let gathered = '';
  for (const text of texts) {
    gathered += text;
    if (gathered.length < PIECE_LENGTH) continue;
    yield encoder.encode(gathered);
    gathered = '';
  }
  if (gathered !== '') yield encoder.encode(gathered);
}
