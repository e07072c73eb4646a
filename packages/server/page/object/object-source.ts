import type { ReferenceBases } from '@htskit/formats';
import type { HtsgetFormat, HtsgetRegion, Ticket } from '@htskit/protocol';
import type { DetailedObject } from '../../src/runtime/page/object-details.js';
import { type CommandInput, ticketUrl } from '../commands.js';
import type { DecodedFile } from '../records/decode-records.js';
import type { LoadedRecords } from '../records/load.js';
import { annotationFormat, findGene } from '../region/find-gene.js';
import type { Interval } from '../region/interval.js';
import type { RecordFilter } from '../route.js';
import { findGenome, type Genome } from '../sequences/genome.js';
import { BASE, service } from '../service.js';
import { ServiceError } from '../service-error.js';
import { describeBlocks } from '../ticket/ticket-blocks.js';
import type { TicketFacts } from '../ticket/ticket-section.js';
import { token } from '../token/token.js';

/** The longest interval whose reference bases are loaded. */
const MOST_BASES = 100_000;

/** The data of an object: its header and its genome are loaded once. Everything rejects with ServiceError. */
export class ObjectSource {
  readonly object: DetailedObject;
  readonly #signal: AbortSignal;
  #header: Promise<DecodedFile> | undefined;
  #genome: Promise<Genome | undefined> | undefined;
  /** The names of the annotation files. */
  #annotations: Promise<readonly string[]> | undefined;

  constructor(object: DetailedObject, signal: AbortSignal) {
    this.object = object;
    this.#signal = signal;
  }

  /** The format of the tickets if this page decodes none of the formats. */
  get undecodedFormat(): HtsgetFormat | undefined {
    const { formats, datatype } = this.object;
    return formats.includes(datatype === 'reads' ? 'BAM' : 'VCF') ? undefined : formats[0];
  }

  /** Returns what the commands for a region are made of. */
  commandInput(region: HtsgetRegion | undefined): CommandInput {
    const { datatype, id } = this.object;
    const format = this.undecodedFormat;
    return { base: BASE.href, datatype, id, region, format, needsToken: token.get() !== '' };
  }

  header(): Promise<DecodedFile> {
    this.#header ??= this.#readHeader();
    return this.#header;
  }

  /** Finds the genome among those of the server. Resolves to undefined if it is not there. */
  genome(): Promise<Genome | undefined> {
    this.#genome ??= this.header().then(({ references }) => findGenome(references));
    return this.#genome;
  }

  /** Requests the ticket for the records of a region that pass a filter. */
  async ticket(
    region: HtsgetRegion,
    filter: RecordFilter,
    signal: AbortSignal,
  ): Promise<TicketFacts & { readonly ticket: Ticket }> {
    const ticket = await service.ticket(ticketUrl({ ...this.commandInput(region), filter }), signal);
    const { format } = ticket.htsget;
    const { files } = this.object;
    const fileBytes = (files.find((file) => file.format === format) ?? files[0])?.bytes ?? 0;
    return { ticket, format, fileBytes, blocks: describeBlocks(ticket, { fileBytes, host: BASE.host }) };
  }

  /** Fetches and decodes the records of a ticket. */
  async records(ticket: Ticket, region: HtsgetRegion | undefined, signal: AbortSignal): Promise<LoadedRecords> {
    if (this.undecodedFormat !== undefined)
      throw new ServiceError(`this page does not decode ${this.undecodedFormat}`, 0);
    const { loadRecords } = await import('../records/load.js');
    return loadRecords(ticket, { datatype: this.object.datatype, region }, signal);
  }

  /** Loads bases of a reference. Resolves to undefined if this server does not have them, or if they are too many. */
  async bases(referenceName: string, { start, end }: Interval): Promise<ReferenceBases | undefined> {
    const genome = await this.genome().catch(() => undefined);
    const digest = genome?.digests.get(referenceName);
    if (digest === undefined || end - start > MOST_BASES) return undefined;
    return { start, bases: await service.bases(digest, start, end) };
  }

  /** Finds a feature in the annotation files beside the object. Resolves to undefined if there is none of this name. */
  async findFeature(name: string): Promise<HtsgetRegion | undefined> {
    this.#annotations ??= service.annotations(this.object).catch(() => []);
    for (const file of await this.#annotations) {
      const text = await service.annotation(this.object, file).catch(() => '');
      const found = findGene(text, name, annotationFormat(file));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #readHeader(): Promise<DecodedFile> {
    const url = new URL(ticketUrl(this.commandInput(undefined)));
    url.searchParams.set('class', 'header');
    const { file } = await this.records(await service.ticket(url.href, this.#signal), undefined, this.#signal);
    return file;
  }
}
