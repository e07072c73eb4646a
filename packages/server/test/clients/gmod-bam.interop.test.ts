import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BamRecord, HtsgetFile } from '@gmod/bam';
import type { Ticket } from '@htskit/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { cases, copyCrams, folders, localQuery, referencesOf, regionsOf } from '../interop-files.js';
import { lines, runTool, runTools } from '../interop-tools.js';
import { installedVersion } from './installed-version.js';

/** Random regions of each file, besides those at edges. */
const RANDOM_REGIONS = 8;
/** Tickets have several blocks, each of which the client inflates by itself. */
const BLOCK_BYTES = 65_536;

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
const crams = copyCrams(scratch, ['reads.cram', 'multiref.cram', 'v31.cram']);
/** By the folder that is served. */
const servers = new Map<string, RunningServer>();
const logged: string[] = [];
let compared = 0;

beforeAll(async () => {
  const log = (message: string): void => void logged.push(message);
  for (const folder of [...folders, scratch]) {
    const htsget = { limits: { blockBytes: BLOCK_BYTES }, precision: 'exact' } as const;
    const options = { paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', htsget } as const;
    servers.set(folder, await serve({ ...options, log }));
  }
});
afterAll(async () => {
  rmSync(scratch, { recursive: true });
  await Promise.all(Array.from(servers.values(), (server) => server.close()));
});

/** The columns of SAM that both give alike: QNAME, FLAG, POS, MAPQ, CIGAR, PNEXT, TLEN, SEQ and QUAL. */
const SAM_COLUMNS = [0, 1, 3, 4, 5, 7, 8, 9, 10];

function samFields(line: string): string {
  const columns = line.split('\t');
  return SAM_COLUMNS.map((column) => columns[column]).join('\t');
}

function recordFields(record: BamRecord): string {
  return [
    record.name,
    record.flags,
    record.start + 1,
    // MAPQ 255, not available, is undefined here.
    record.mq ?? 255,
    record.CIGAR || '*',
    record.next_pos + 1,
    record.template_length,
    record.seq || '*',
    qualityText(record.qual),
  ].join('\t');
}

/** The client takes the lengths of CIGAR operations from 2^27 on for negative: records with such are left out. */
const LONG_OPERATION = /-\d|\d{9}[MIDNSHP=X]/;

function readable(records: readonly string[]): string[] {
  return records.filter((fields) => !LONG_OPERATION.test(fields.split('\t')[4] ?? ''));
}

/** Without qualities there are none, or each is 255 (SAMv1 §4.2). */
function qualityText(qualities: Uint8Array | null): string {
  if (qualities === null || qualities.length === 0 || qualities[0] === 255) return '*';
  return String.fromCharCode(...qualities.map((value) => value + 33));
}

describe(`@gmod/bam ${installedVersion('@gmod/bam')}, the client of JBrowse`, () => {
  test.each([...cases.filter(({ format }) => format === 'BAM'), ...crams])(
    '$name: regions have the records that samtools finds',
    async (bam) => {
      const baseUrl = `${servers.get(bam.folder)?.url}/reads`;
      const client = new HtsgetFile({ baseUrl, trackId: encodeURIComponent(bam.id) });
      const header = lines(await runTool(['samtools', 'view', '-H', '--no-PG', bam.path]));
      // samtools adds @SQ lines that a header lacks.
      const isOther = (line: string): boolean => !line.startsWith('@SQ');
      expect(lines((await client.getHeaderText()) ?? '').filter(isOther)).toEqual(header.filter(isOther));
      const references = await referencesOf(bam);
      expect((client.indexToChr ?? []).map(({ refName, length }) => ({ name: refName, length }))).toEqual(references);

      const all = lines(await runTool(['samtools', 'view', bam.path]));
      const regions = regionsOf(bam, { references, records: all, count: all.length > 0 ? RANDOM_REGIONS : 0 });
      const asked = regions.filter(
        ({ referenceName, start = 0, end = Infinity }) => referenceName !== '*' && start < end,
      );
      const local = await runTools(
        asked.map((region) => ['samtools', 'view', ...localQuery(bam, region, join(scratch, 'region.bed'))]),
      );
      for (const [rank, { referenceName, start = 0, end }] of asked.entries()) {
        const length = references.find(({ name }) => name === referenceName)?.length ?? 0;
        const records = await client.getRecordsForRange(referenceName, start, end ?? length);
        const expected = readable(lines(local[rank] ?? '').map(samFields));
        expect(readable(records.map(recordFields)), `${referenceName}:${start}-${end}`).toEqual(expected);
        compared += expected.length;
      }
    },
  );

  test('the tickets had several blocks', async () => {
    const response = await fetch(`${servers.get(folders[0] ?? '')?.url}/reads/reads`);
    const { htsget } = (await response.json()) as Ticket;
    expect(htsget.urls.length).toBeGreaterThan(5);
  });

  test('compared thousands of records without an error of the server', () => {
    expect(compared).toBeGreaterThan(10_000);
    // One file lacks its EOF marker.
    expect(logged.filter((line) => !line.includes('lacks its EOF marker'))).toEqual([]);
  });
});
