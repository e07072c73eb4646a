import { type CommandInput, commandsFor } from '../commands.js';
import { codeBox, h } from '../dom.js';
import { Tabs } from './tabs.js';

const CHOICE_KEY = 'htskit-client';

/** Shows how clients read the region: a tab for each. The choice is kept while the tab of the browser is open. */
export function commandsSection(input: CommandInput): HTMLElement {
  const commands = commandsFor(input);
  const tabs = commands.map(({ client, text, note }) => ({
    id: client,
    title: client,
    panel: h('div', {}, codeBox(text, `the code for ${client}`), h('p', { class: 'hint' }, note)),
  }));
  const view = new Tabs('Clients', tabs, (client) => {
    sessionStorage.setItem(CHOICE_KEY, client);
    view.select(client);
  });
  const chosen = sessionStorage.getItem(CHOICE_KEY);
  view.select((tabs.find(({ id }) => id === chosen) ?? tabs[0])?.id ?? '');
  return view.element;
}
