import type { HtsgetRegion, Ticket } from '@htskit/protocol';
import { type DecodedFile, decodeRecords } from './decode-records.js';
import { fetchBlocks, inflateBgzf, type ReceivedBlocks } from './fetch-blocks.js';

export { RegionRecords } from './region-records.js';

/** The records of a ticket, and how long its blocks are. */
export interface LoadedRecords extends Pick<ReceivedBlocks, 'lengths'> {
  readonly file: DecodedFile;
}

/** Fetches and decodes the records of a ticket for BAM or VCF. */
export async function loadRecords(
  ticket: Ticket,
  query: { readonly datatype: 'reads' | 'variants'; readonly region: HtsgetRegion | undefined },
  signal: AbortSignal,
): Promise<LoadedRecords> {
  const { bytes, lengths } = await fetchBlocks(ticket, signal);
  return { lengths, file: decodeRecords(inflateBgzf(bytes), query) };
}
