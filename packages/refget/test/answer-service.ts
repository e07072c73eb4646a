import { createCatalogue, createRefgetHandler, type RefgetOptions, type Sequence } from '../src/index.js';
import { CIRCULAR, EMPTY, LINEAR } from './sequence-service.js';
import { textSequence } from './text-sequence.js';

export const STORE_URL = 'https://store.example/bases?signature=secret';

/** A sequence that is also stored elsewhere as plain text. */
export const LOCATED: Sequence = {
  ...textSequence('TTTTGGGG', { circular: true }),
  locate: async ({ range }) => (range === undefined ? STORE_URL : `${STORE_URL}&bases=${range.start}-${range.end}`),
};
/** Stored elsewhere as a whole; its parts are sent by the service. */
export const LOCATED_WHOLE: Sequence = {
  ...textSequence('CCCCAAAA'),
  locate: async ({ range }) => (range === undefined ? STORE_URL : undefined),
};

/** The services that rows of the table name. */
const settings = {
  default: {},
  'no circular': { circularSupported: false },
  'limit 4': { limits: { subsequence: 4 }, serviceInfo: { name: 'mine' } },
  'range 416': { rangeOutOfBounds: 416 },
  'ambiguous 409': { ambiguousIdentifier: 409 },
  'redirect 302': { redirectStatus: 302 },
  'redirect 307': { redirectStatus: 307 },
  std: { authority: 'std' },
  guarded: {
    authorize: ({ request }) => (request.headers.get('authorization') === 'Bearer good' ? 'all' : 'unauthenticated'),
  },
} as const satisfies Readonly<Record<string, Partial<RefgetOptions>>>;

export type ServiceName = keyof typeof settings;

export const serviceNames = Object.keys(settings) as ServiceName[];

export function answerHandler(name: ServiceName): (request: Request) => Promise<Response> {
  const catalogue = createCatalogue([LINEAR, CIRCULAR, EMPTY, LOCATED, LOCATED_WHOLE]);
  return createRefgetHandler({ catalogue, ...settings[name] });
}
