const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Returns the texts of all elements of a name, in order. Suffices for responses of S3, whose elements have no attributes. */
export function readElements(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text = '']) => unescapeXml(text));
}

/** Returns the text of the first element of a name, or undefined if there is none. */
export function readElement(xml: string, name: string): string | undefined {
  return readElements(xml, name)[0];
}

/** Escapes text for the content of an element. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescapeXml(text: string): string {
  return text.replace(/&(#x?)?(\w{1,8});/g, (reference: string, kind: string | undefined, name: string) => {
    if (kind === undefined) return ENTITIES.get(name) ?? reference;
    const code = Number(kind === '#' ? name : `0x${name}`);
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference;
  });
}
