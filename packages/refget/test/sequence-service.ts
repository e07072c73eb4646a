import { createCatalogue } from '../src/catalogue/catalogue.js';
import { createRefgetHandler } from '../src/handler.js';
import type { RefgetOptions } from '../src/options.js';
import { textSequence } from './text-sequence.js';

export const JSON_TYPE = 'application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii';
export const TEXT_TYPE = 'text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii';

export const LINEAR = textSequence('ACGTNACGTR', {
  aliases: [
    { alias: 'X.1', namingAuthority: 'insdc' },
    { alias: 'twin', namingAuthority: 'insdc' },
  ],
});
export const CIRCULAR = textSequence('AACCGGTT', {
  circular: true,
  aliases: [{ alias: 'twin', namingAuthority: 'insdc' }],
});
export const EMPTY = textSequence('');

export type Call = (path: string, init?: RequestInit) => Promise<Response>;

/** Returns a function that calls a handler of the three sequences. */
export function service(options: Partial<RefgetOptions> = {}): Call {
  const handle = createRefgetHandler({ catalogue: createCatalogue([LINEAR, CIRCULAR, EMPTY]), ...options });
  return (path, init) => handle(new Request(`http://localhost${path}`, init));
}

export const accept = (value: string): RequestInit => ({ headers: { accept: value } });
