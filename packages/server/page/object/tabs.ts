import { h } from '../dom.js';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly panel: HTMLElement;
}

/** Panels of which one is shown, chosen by tabs (ARIA APG, tabs with manual activation). */
export class Tabs {
  readonly element: HTMLElement;
  readonly #list: HTMLElement;
  readonly #tabs: readonly (Tab & { readonly button: HTMLButtonElement })[];

  constructor(label: string, tabs: readonly Tab[], onSelect: (id: string) => void) {
    this.#tabs = tabs.map((tab) => {
      const { id, title, panel } = tab;
      panel.id = `${id}-panel`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', `${id}-tab`);
      const attributes = { type: 'button', role: 'tab', id: `${id}-tab`, 'aria-controls': panel.id } as const;
      return { ...tab, button: h('button', { ...attributes, click: () => onSelect(id) }, title) };
    });
    for (const [index, { button }] of this.#tabs.entries()) {
      button.addEventListener('keydown', ({ key }) => {
        const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
        if (step !== 0) this.#tabs.at((index + step) % this.#tabs.length)?.button.focus();
      });
    }
    const buttons = this.#tabs.map(({ button }) => button);
    this.#list = h('div', { role: 'tablist', 'aria-label': label, class: 'tabs' }, ...buttons);
    this.element = h('div', {}, this.#list, ...tabs.map(({ panel }) => panel));
  }

  /** Shows the panel of a tab, and the tab itself where the list is too narrow for all of them. */
  select(selected: string): void {
    for (const { id, button, panel } of this.#tabs) {
      const isSelected = id === selected;
      button.setAttribute('aria-selected', String(isSelected));
      button.tabIndex = isSelected ? 0 : -1;
      panel.hidden = !isSelected;
      if (!isSelected) continue;
      const { left, right } = button.getBoundingClientRect();
      const list = this.#list.getBoundingClientRect();
      if (left < list.left || right > list.right) this.#list.scrollLeft += left - list.left;
    }
  }
}
