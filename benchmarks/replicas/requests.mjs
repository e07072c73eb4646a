// What clients of a replica request: tickets, blocks and coverage of all objects, the same each time.
import { createRandom } from '../random.mjs';
import { randomRegions } from '../server/regions.mjs';

const REQUESTS = 1000;
/** The numbers of ten requests that are for blocks, and for coverage. The rest are for tickets. */
const BLOCKS = 3;
const COVERAGE = 2;
const BINS = 500;
const CONCURRENCY = 4;
/** Bases of a region of the reads, and of the fixtures. */
const READS_BASES = 10_000;
const FIXTURE_BASES = 5000;

/** Returns the paths of 1,000 requests. The blocks are those that `url` serves, whose signature all replicas accept. */
export async function choosePaths(url, { files, regions }) {
  const random = createRandom(23);
  const any = (values) => values[random() % values.length];
  const genomes = [...files.genome, ...files.summed].map((id) => `/reads/${id}`);
  const variants = files.variants.map((id) => `/variants/${id}`);
  const tickets = randomRegions(REQUESTS).map((region) => () => {
    const kind = random() % 20;
    if (kind < 10) return `${any(genomes)}?${new URLSearchParams(region)}`;
    if (kind < 13) return `${any(variants)}?${new URLSearchParams(region)}`;
    if (kind < 17) return ofReads();
    const start = random() % 100_000;
    return `/reads/${any(files.cram)}?format=CRAM&referenceName=chr1&start=${start}&end=${start + FIXTURE_BASES}`;
  });
  const ofReads = () => {
    const { start } = any(regions);
    return `/reads/${any(files.reads)}?referenceName=chr1&start=${start}&end=${start + READS_BASES}`;
  };
  const blocks = await blocksOf(url, Array.from({ length: 100 }, ofReads));
  const coverage = (region) => `/coverage/${any(files.summed)}?referenceName=${region.referenceName}&bins=${BINS}`;
  return tickets.map((ticket, n) => {
    if (n % 10 < BLOCKS) return any(blocks);
    if (n % 10 < BLOCKS + COVERAGE) return coverage(randomRegions(n + 1)[n]);
    return ticket();
  });
}

/** Returns the paths of the blocks of records that some tickets refer to. */
async function blocksOf(url, paths) {
  const tickets = [];
  for (const path of paths) tickets.push(await get(url + path));
  const parts = tickets.flatMap((ticket) => JSON.parse(ticket).htsget.urls);
  const blocks = parts.filter((part) => part.class !== 'header');
  return blocks.filter((block) => block.url.startsWith('http')).map((block) => new URL(block.url).pathname);
}

/** Requests all paths, a few at once. Throws for a status other than 200. */
export async function requestAll(url, paths) {
  const left = paths.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const path of left) {
        await get(url + path);
      }
    }),
  );
}

async function get(url) {
  const response = await fetch(url);
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${body}`);
  return body;
}
