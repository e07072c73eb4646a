import type { HtsgetFormat, Ticket } from '@htskit/protocol';
import { expect } from 'vitest';
import { type Asker, expectNoLeak, toText } from './asker.js';
import type { Pick, View } from './random-access.js';
import {
  CELL_BASES,
  CELLS,
  hasReads,
  marksIn,
  OBJECTS,
  OFFSET,
  placeOf,
  READ_BASES,
  SAMPLES,
  type SecretObject,
  SPACING,
} from './secret-files.js';

/** What is requested of an object: all of it, or some cells, samples, or the header. */
interface TicketQuery {
  readonly format: HtsgetFormat;
  readonly cell?: number;
  readonly samples?: readonly number[];
  readonly isHeader: boolean;
}

function randomQuery({ datatype }: SecretObject, pick: Pick): TicketQuery {
  const format = pick(datatype === 'reads' ? (['BAM'] as const) : (['VCF', 'BCF', 'VCFTEXT'] as const));
  const kind = pick(['all', 'cell', 'samples', 'header'] as const);
  return {
    format,
    isHeader: kind === 'header',
    ...(kind === 'cell' && { cell: pick(CELLS) }),
    ...(kind === 'samples' && { samples: [pick([...SAMPLES.keys()])] }),
  };
}

function toPath({ datatype, id }: SecretObject, { format, cell, samples, isHeader }: TicketQuery): string {
  const { referenceName, start } = placeOf(cell ?? 0);
  const region = cell === undefined ? '' : `&referenceName=${referenceName}&start=${start}&end=${start + CELL_BASES}`;
  const named = samples === undefined ? '' : `&samples=${samples.map((sample) => SAMPLES[sample]).join()}`;
  return `/${datatype}/${id}?format=${format}${region}${named}${isHeader ? '&class=header' : ''}`;
}

function statusOf({ refusal, formats, cells, samples }: View, query: TicketQuery): number {
  if (refusal !== undefined) return refusal;
  if (formats?.includes(query.format) === false) return 403;
  if (query.samples?.some((sample) => !samples.includes(sample)) === true) return 404;
  return query.cell === undefined || cells.includes(query.cell) ? 200 : 403;
}

/** Returns the marks of the records of an answer, in the form `object/sample/cell`. */
function wantedMarks(
  object: number,
  view: View,
  { cell: wantedCell, samples: wanted, isHeader }: TicketQuery,
): string[] {
  if (isHeader) return [];
  const cells = view.cells.filter((cell) => wantedCell === undefined || cell === wantedCell);
  const samples = view.samples.filter((sample) => wanted?.includes(sample) !== false);
  const isReads = OBJECTS[object]?.datatype === 'reads';
  return cells.flatMap((cell) => {
    const seen = samples.filter((sample) => !isReads || hasReads(sample, cell));
    return [...(isReads ? [] : [undefined]), ...seen].map((sample) => `${object}/${sample}/${cell}`);
  });
}

/** Requests a ticket and its blocks, and expects exactly the records that the requester may see. */
export async function checkTicket(asker: Asker, object: number, pick: Pick): Promise<void> {
  const [secret, view] = [OBJECTS[object], asker.views[object]];
  if (secret === undefined || view === undefined) throw new RangeError(`there is no object ${object}`);
  const query = randomQuery(secret, pick);
  const path = toPath(secret, query);
  const answer = await asker.ask(path, {}, object);
  expect(answer.status, path).toBe(statusOf(view, query));
  if (answer.status !== 200) return;
  const { htsget } = JSON.parse(answer.text) as Ticket;
  const blocks = [];
  for (const { url } of htsget.urls) blocks.push(await asker.fetchUrl(url));
  expect(new Set(blocks.map(({ status }) => status)), path).toEqual(new Set([200]));
  const text = toText(Buffer.concat(blocks.map(({ bytes }) => bytes)));
  expectNoLeak(text, { views: asker.views, asked: path, object });
  const found = marksIn(text).map((mark) => `${mark.object}/${mark.sample}/${mark.cell}`);
  expect(found.sort(), path).toEqual(wantedMarks(object, view, query).sort());
}

/** Bases of a bin: every second one has a record. */
const BIN_BASES = SPACING / 2;

/** Requests the bins of a reference, and expects the depth, or the number of variants, that the requester may see. */
export async function checkCoverage(asker: Asker, object: number, pick: Pick): Promise<void> {
  const [secret, view] = [OBJECTS[object], asker.views[object]];
  if (secret === undefined || view === undefined) throw new RangeError(`there is no object ${object}`);
  const { referenceName } = placeOf(pick(CELLS));
  const cells = CELLS.filter((cell) => placeOf(cell).referenceName === referenceName);
  const bins = (cells.length * CELL_BASES) / BIN_BASES;
  const path = `/coverage/${secret.id}?datatype=${secret.datatype}&referenceName=${referenceName}&bins=${bins}`;
  const { status, text } = await asker.ask(path, {}, object);
  const isAny = cells.some((cell) => view.cells.includes(cell));
  expect(status, path).toBe(view.refusal ?? (isAny ? 200 : 403));
  if (status !== 200) return;
  const depths = cells.flatMap((cell) => {
    const seen = view.samples.filter((sample) => secret.datatype === 'variants' || hasReads(sample, cell));
    const depth = secret.datatype === 'variants' ? 1 : seen.length;
    const shown = view.cells.includes(cell) ? depth : 0;
    return Array.from({ length: CELL_BASES / BIN_BASES }, (_, bin) =>
      (bin * BIN_BASES) % SPACING < OFFSET ? shown : 0,
    );
  });
  const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (secret.datatype === 'variants') expect(document['counts'], path).toEqual(depths);
  else
    expect(document, path).toMatchObject({
      mean: depths.map((depth) => (depth * READ_BASES) / BIN_BASES),
      max: depths,
    });
}

/** Requests the depth of a whole file, which the permission for a part of it does not show. */
export async function checkBigWig(asker: Asker, object: number): Promise<void> {
  const [secret, view] = [OBJECTS[object], asker.views[object]];
  if (secret?.datatype !== 'reads' || view === undefined) return;
  const path = `/coverage/${secret.id}.bw`;
  const { status, headers } = await asker.ask(path, { headers: { range: 'bytes=0-7' } }, object);
  const isWhole = view.hasAllCells && view.hasAllSamples;
  expect(status, path).toBe(view.refusal ?? (isWhole ? 206 : 403));
  if (!isWhole) expect([headers.get('etag'), headers.get('content-range')], path).toEqual([null, null]);
}
