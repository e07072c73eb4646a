/** The configurations of genome browsers. */
export const BROWSER_CONFIGS = {
  igv: '/igv/session.json',
  /** For IGV on desktops, which takes a URL for a session of igv.js if it ends with `.json`. */
  igvDesktop: '/igv/desktop.json',
  jbrowse: '/jbrowse/config.json',
} as const;

/** The plugin of JBrowse, as a script and as a module that loads it. */
export const JBROWSE_PLUGIN = { script: '/jbrowse/htskit.umd.js', module: '/jbrowse/htskit.esm.js' } as const;
