// The kinds of requests whose costs are measured, at random places of the files.
import { READS_END } from './files.mjs';

const BLOCK_BASES = 10_000;
const COVERAGE_BASES = 100_000;
const SLICE_BASES = 1000;
/** Bytes of a part of a whole file, as a pipeline requests it. */
const PART_BYTES = 8 * 2 ** 20;
const BINS = 500;

/**
 * Returns a function for each kind, which returns the path and the headers of a request. `block` and `conversion` take the path that
 * `blockPath` finds in the ticket: `TICKET_OF` names its kind. `prefix` is that of all ids.
 */
export function createRequests({ sequence, wholePath, wholeBytes, prefix = '' }, nextShare) {
  const draw = (below) => Math.floor(nextShare() * below);
  let genome = 0;
  const region = (bases) => {
    const start = draw(READS_END - bases);
    return `referenceName=chr1&start=${start}&end=${start + bases}`;
  };
  return {
    ticket: () => ({ path: `/reads/${prefix}sample?${region(BLOCK_BASES)}` }),
    archiveTicket: () => ({ path: `/reads/${prefix}archive?format=BAM&${region(BLOCK_BASES)}` }),
    block: (ticket) => ({ path: blockPath(ticket) }),
    conversion: (ticket) => ({ path: blockPath(ticket) }),
    part: () => {
      const start = draw(wholeBytes - PART_BYTES);
      return { path: wholePath, headers: { range: `bytes=${start}-${start + PART_BYTES - 1}` } };
    },
    slice: () => {
      const start = draw(sequence.length - SLICE_BASES);
      return { path: `/sequence/${sequence.md5}?start=${start}&end=${start + SLICE_BASES}` };
    },
    coverage: () => ({ path: `/coverage/${prefix}sample?${region(COVERAGE_BASES)}&bins=${BINS}` }),
    /** The ticket of a genome that was not requested before. */
    coldTicket: () => ({ path: `/reads/${prefix}genome${genome++}?referenceName=chr1&start=50000000&end=50010000` }),
    archiveCoverage: () => ({ path: `/coverage/${prefix}archive?${region(COVERAGE_BASES)}&bins=${BINS}` }),
    overview: () => ({ path: `/coverage/${prefix}sample?${region(READS_END - BLOCK_BASES)}&bins=${BINS}` }),
  };
}

/** The kinds that request what a ticket of another kind names. */
const TICKET_OF = { block: 'ticket', conversion: 'archiveTicket' };

/** Requests the kinds of a view one after another by `request`, which takes a path and headers. Yields each response with its kind. */
export async function* requestView(request, { kinds, requests }) {
  const tickets = {};
  for (const kind of kinds) {
    const response = await request(requests[kind](tickets[TICKET_OF[kind]]));
    yield { kind, ...response };
    tickets[kind] = response.text;
  }
}

/** Returns the path of the records of a ticket: its last URL that is not inline. */
export function blockPath(ticket) {
  const { urls } = JSON.parse(ticket).htsget;
  return new URL(urls.findLast(({ url }) => url.startsWith('http')).url).pathname;
}
