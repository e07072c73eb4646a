type Child = Node | string | undefined | false;

type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** Creates an element. Functions are listeners, `true` is an attribute without a value, and undefined is no attribute. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an element of SVG. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill<Target extends Element>(element: Target, attributes: Attributes, children: readonly Child[]): Target {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

/** A cell of a table: a text, an element, or a number that is aligned to the right. */
export type Cell = Node | string | number;

/** Creates a table. Columns whose titles end with `#` are numeric. */
export function table(
  { caption, titles }: { readonly caption: string; readonly titles: readonly string[] },
  rows: Iterable<readonly Cell[]>,
): HTMLElement {
  const isNumeric = titles.map((title) => title.endsWith('#'));
  const head = titles.map((title, index) =>
    h('th', { scope: 'col', class: isNumeric[index] ? 'number' : undefined }, title.replace(/#$/, '')),
  );
  const body = Array.from(rows, (cells) =>
    h(
      'tr',
      {},
      ...cells.map((cell, index) =>
        h('td', { class: isNumeric[index] ? 'number' : undefined }, typeof cell === 'number' ? count(cell) : cell),
      ),
    ),
  );
  const caption_ = h('caption', { class: 'hidden' }, caption);
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', {}, caption_, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body)),
  );
}

export interface SortableColumn {
  /** Ends with `#` if the column is numeric. */
  readonly title: string;
  /** The name to sort by; empty if the column cannot be sorted by. */
  readonly key: string;
}

/** Creates a table whose titles are buttons that sort it. `sort` is a key, with a minus before it for descending order. */
export function sortableTable(
  {
    columns,
    sort,
    onSort,
    caption,
  }: {
    readonly caption: string;
    readonly columns: readonly SortableColumn[];
    readonly sort: string;
    readonly onSort: (sort: string) => void;
  },
  rows: Iterable<readonly Cell[]>,
): HTMLElement {
  const sorted = table({ caption, titles: columns.map(({ title }) => title) }, rows);
  for (const [index, cell] of sorted.querySelectorAll('th').entries()) {
    const { key = '' } = columns[index] ?? {};
    if (key === '') continue;
    const order = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
    cell.setAttribute('aria-sort', order);
    const arrow = order === 'ascending' ? ' ↑' : order === 'descending' ? ' ↓' : '';
    const click = (): void => {
      onSort(order === 'ascending' ? `-${key}` : key);
    };
    cell.replaceChildren(h('button', { type: 'button', class: 'link', click }, `${cell.textContent}${arrow}`));
  }
  return sorted;
}

/** Formats an integer with commas. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats a number with three significant digits, such as `0.277` or `12,300`. */
export function rounded(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a count with its noun, such as `1 block` or `2 blocks`. */
export function countOf(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Formats a number of bytes with three digits, such as `1.23 MB`. */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? bytes : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${UNITS[power]}`;
}

/** Shows code with a button that copies it. `label` names it for screen readers. */
export function codeBox(code: string, label: string): HTMLElement {
  const text = h('code', {}, code);
  const button = h('button', { type: 'button', class: 'quiet copy', 'aria-label': `Copy ${label}` }, 'Copy');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code);
      report(button, 'Copied');
    } catch {
      // Browsers have no clipboard on pages without TLS, other than those of this machine.
      getSelection()?.selectAllChildren(text);
      report(button, 'Press Ctrl+C');
    }
  };
  button.addEventListener('click', () => void copy());
  return h('div', { class: 'command' }, h('pre', { tabindex: 0 }, text), button);
}

const REPORT_MILLISECONDS = 1500;

function report(button: HTMLButtonElement, message: string): void {
  button.textContent = message;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, REPORT_MILLISECONDS);
}
