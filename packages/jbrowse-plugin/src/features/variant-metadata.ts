/** The declarations of keys, filters and alleles, by the kind of their lines and their IDs. */
type Descriptions = Record<string, Record<string, Record<string, string | number>>>;

const LINE = /^##(INFO|FORMAT|FILTER|ALT)=<(.*)>$/gm;
const ENTRY = /([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^",]*))/g;

/** Returns the descriptions of a VCF header (VCFv4.3 §1.4) as JBrowse's parser of VCF returns them. */
export function readDescriptions(headerText: string): Descriptions {
  const described: Descriptions = {};
  for (const [, kind = '', entries = ''] of headerText.matchAll(LINE)) {
    const found = Array.from(entries.matchAll(ENTRY), ([, key = '', quoted, plain = '']) => [
      key,
      quoted?.replace(/\\(.)/g, '$1') ?? (key === 'Number' && /^\d+$/.test(plain) ? Number(plain) : plain),
    ]);
    const { ID, ...values } = Object.fromEntries(found) as Record<string, string | number>;
    if (ID === undefined) continue;
    described[kind] = { ...described[kind], [ID]: values };
  }
  return described;
}
