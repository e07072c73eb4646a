import { BROWSER_CONFIGS } from './browser-paths.js';

/** A link that opens the objects of a server in a genome browser. */
export interface OpenLink {
  readonly browser: string;
  readonly url: string;
}

/** Returns the links for the URL of a server without a slash at its end. The sites load the configuration in the browser of the user. */
export function openLinks(baseUrl: string): readonly OpenLink[] {
  const link = (browser: string, start: string, path: string): OpenLink => ({
    browser,
    url: `${start}${encodeURIComponent(`${baseUrl}${path}`)}`,
  });
  return [
    link('JBrowse at jbrowse.org', 'https://jbrowse.org/code/jb2/latest/?config=', BROWSER_CONFIGS.jbrowse),
    link('IGV-Web at igv.org', 'https://igv.org/app/?sessionURL=', BROWSER_CONFIGS.igv),
    // The port at which a running IGV takes commands.
    link('IGV on this computer', 'http://localhost:60151/load?file=', BROWSER_CONFIGS.igvDesktop),
  ];
}
