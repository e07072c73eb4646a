import { type ClientCommand, type CommandInput, commandsFor } from '../commands.js';
import { codeBox, h } from '../dom.js';

const CHOICE_KEY = 'htskit-client';

/** Shows how clients read the region: a tab for each. The choice is kept while the tab of the browser is open. */
export function commandsSection(input: CommandInput): HTMLElement {
  const commands = commandsFor(input);
  const chosen = sessionStorage.getItem(CHOICE_KEY);
  const panel = h('div', { id: 'command', role: 'tabpanel' });
  const tabs = commands.map((command) =>
    h(
      'button',
      { type: 'button', role: 'tab', 'aria-controls': 'command', 'data-client': command.client },
      command.client,
    ),
  );
  const select = (command: ClientCommand): void => {
    sessionStorage.setItem(CHOICE_KEY, command.client);
    for (const tab of tabs) {
      const isSelected = tab.dataset['client'] === command.client;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
    }
    panel.replaceChildren(
      codeBox(command.text, `the code for ${command.client}`),
      h('p', { class: 'hint' }, command.note),
    );
  };
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => selectAt(index));
    tab.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      if (step !== 0) selectAt((index + step + tabs.length) % tabs.length);
    });
  }
  const selectAt = (index: number): void => {
    const command = commands[index];
    if (command === undefined) return;
    select(command);
    tabs[index]?.focus();
  };
  const first = commands.find(({ client }) => client === chosen) ?? commands[0];
  if (first !== undefined) select(first);
  return h('div', {}, h('div', { role: 'tablist', 'aria-label': 'Clients', class: 'tabs' }, ...tabs), panel);
}
