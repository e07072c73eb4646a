/** What igv.js shows in the pop-up of a click: a name with its value, a text, or HTML of its own. */
export type PopoverItem = string | { readonly name?: string; readonly value?: unknown; readonly html?: string };

const RULE = /^<hr\b[^<>]*>$/i;
/** The elements around the texts of igv.js, which may hold data. */
const WRAPPED = /^<(?<name>li|b)>(?<text>.*)<\/\k<name>>$/s;
const LIST = /^<\/?ul>$/;

/** Returns the HTML of a pop-up, in which everything but rules is text. igv.js itself takes names and values for HTML. */
export function popoverHtml(items: readonly PopoverItem[]): string {
  return items.map(itemHtml).join('');
}

function itemHtml(item: PopoverItem): string {
  if (typeof item === 'object' && item.name) {
    // igv.js has escaped the first bracket of alleles.
    const value = escapeHtml(String(item.value).replace('&lt;', '<'));
    return `<div title="${value}"><span>${escapeHtml(item.name)}</span>&nbsp;&nbsp;&nbsp;${value}</div>`;
  }
  const text = typeof item === 'object' ? (item.html ?? '') : String(item);
  if (RULE.test(text)) return '<hr>';
  if (LIST.test(text)) return '';
  return `<div>${escapeHtml(WRAPPED.exec(text)?.groups?.['text'] ?? text)}</div>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
