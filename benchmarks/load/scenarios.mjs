// What clients do in each scenario. `clients` are measured: each connection requests one path after another. `background` loads
// the server meanwhile. See clients.mjs. `needsCram` asks for a copy
// of the BAM file as CRAM.

/** Bytes of a POST body, just below the limit of the server. */
const BODY_BYTES = 1_048_000;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** The tickets that clients request while something else disturbs the server. */
const beside = ({ ticket }) => ({ connections: 4, requests: [{ path: ticket }] });

const manyZeros = `{"x":[${'0,'.repeat((BODY_BYTES - 8) / 2)}0]}`;

export const SCENARIOS = {
  tickets: {
    what: '1,000 connections on a ticket',
    load: ({ ticket }) => ({ clients: { connections: 1000, requests: [{ path: ticket }] } }),
  },
  slices: {
    what: '300 connections on one block with cut edges',
    load: ({ slice }) => ({ clients: { connections: 300, requests: [{ path: slice }] } }),
  },
  blocks: {
    what: '300 connections on one block whose records are rewritten',
    load: ({ filtered }) => ({ clients: { connections: 300, requests: [{ path: filtered }] } }),
  },
  mixed: {
    what: '1,000 connections on tickets, cut blocks and filtered blocks',
    load: ({ ticket, slice, filtered }) => ({
      clients: { connections: 1000, requests: [ticket, slice, filtered].map((path) => ({ path })) },
    }),
  },
  json: {
    what: '4 connections that post 1 MiB of JSON',
    load: ({ object }) => ({
      clients: { connections: 4, requests: [{ method: 'POST', path: object, headers: JSON_HEADERS, body: manyZeros }] },
    }),
  },
  posts: {
    what: '4 connections on a ticket, while 4 others post 1 MiB of JSON',
    load: (service) => ({
      background: SCENARIOS.json.load(service).clients,
      clients: beside(service),
    }),
  },
  hung: {
    what: '4 connections on a ticket, while 300 others request files in a bucket that never answers',
    load: (service) => ({
      background: {
        connections: 300,
        requests: Array.from({ length: 300 }, (_, index) => ({ path: `/reads/hung/${index}` })),
      },
      clients: beside(service),
    }),
  },
  trickle: {
    what: '4 connections on a ticket, while 300 others send a POST body one byte a second',
    load: (service) => ({ background: { trickles: 300, path: service.object }, clients: beside(service) }),
  },
  readers: {
    what: '4 connections on a ticket, while 256 others read a file slowly',
    load: (service) => ({ background: { readers: 256, path: service.whole }, clients: beside(service) }),
  },
  download: {
    what: '4 connections that download a whole file',
    load: ({ whole }) => ({ clients: { connections: 4, requests: [{ path: whole }] } }),
  },
  converted: {
    what: '16 connections on the blocks of a whole CRAM as BAM (needs samtools)',
    needsCram: true,
    load: ({ converted }) => ({ clients: { connections: 16, requests: converted.map((path) => ({ path })) } }),
  },
};
