import { defineConfig } from 'vitepress';
import { COMPARISONS, GUIDES, PACKAGES, PAGES, REPOSITORY } from '../pages.mjs';

const toItems = (pages) => pages.map(([, page, text]) => ({ text, link: `/${page}` }));

export default defineConfig({
  title: 'htskit',
  description: 'htsget and refget for TypeScript: libraries, a server, and readers of genomic files',
  srcDir: 'content',
  outDir: 'dist',
  cacheDir: 'cache',
  base: process.env.SITE_BASE ?? '/',
  lastUpdated: false,
  // Examples for servers of the reader's own.
  ignoreDeadLinks: 'localhostLinks',
  markdown: { theme: { light: 'github-light', dark: 'github-dark' } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    nav: [
      { text: 'Guide', link: '/guide/quick-start' },
      { text: 'Packages', link: '/packages/server' },
      { text: 'Reference', link: '/api/' },
    ],
    sidebar: {
      '/api/': [{ text: 'Reference', items: PACKAGES.flatMap(toReferenceItems) }],
      '/': [
        { text: 'Guide', items: toItems(GUIDES) },
        { text: 'Choose', items: toItems(COMPARISONS) },
        { text: 'Packages', items: PACKAGES.map(toPackageItem) },
        { text: 'Decisions', collapsed: true, items: [{ text: 'Overview', link: '/decisions/' }] },
      ],
    },
  },
});

function toPackageItem({ folder, name }) {
  // The README of a package may be a guide.
  return { text: name, link: `/${PAGES.get(`packages/${folder}/README.md`)}` };
}

function toReferenceItems({ name, entries }) {
  return entries.map(([subpath]) => {
    const module = subpath === '.' ? name : `${name}${subpath.slice(1)}`;
    return { text: module, link: `/api/${module.replace('@htskit/', '')}` };
  });
}
