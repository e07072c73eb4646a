import 'openapi-explorer/dist/browser/openapi-explorer.min.js';
import { h } from './dom.js';
import { sanitizeHtml } from './igv/safe-html.js';
import { BASE } from './service.js';

sanitizeHtml();

/** Colours of the page for the explorer, which has no rules of its own for a dark scheme. */
function colours(): Readonly<Record<string, string>> {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return isDark
    ? {
        'bg-color': '#14181a',
        'text-color': '#e4eaea',
        'primary-color': '#5cc4be',
        'secondary-color': '#5cc4be',
        'nav-bg-color': '#1b2124',
        'nav-text-color': '#e4eaea',
      }
    : {
        'bg-color': '#fbfcfc',
        'text-color': '#1b2628',
        'primary-color': '#0b6565',
        'secondary-color': '#0b6565',
        'nav-bg-color': '#eef2f2',
        'nav-text-color': '#1b2628',
      };
}

document.querySelector('#main')?.append(
  h('openapi-explorer' as 'div', {
    'spec-url': new URL('openapi.json', BASE).href,
    'server-url': BASE.href.replace(/\/$/, ''),
    'hide-server-selection': true,
    ...colours(),
  }),
);
