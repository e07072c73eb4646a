const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The texts of all elements of a name, in their order: enough for the answers of S3, whose elements have no attributes. */
export function readElements(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text = '']) => unescapeXml(text));
}

/** The text of the first element of a name; undefined where there is none. */
export function readElement(xml: string, name: string): string | undefined {
  return readElements(xml, name)[0];
}

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
