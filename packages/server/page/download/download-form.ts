import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import { FORMAT_EXTENSIONS, ticketUrl } from '../commands.js';
import { h, size } from '../dom.js';
import { failure, hint } from '../notices.js';
import type { ObjectSource } from '../object/object-source.js';
import type { RecordFilter } from '../route.js';
import { service } from '../service.js';
import { ServiceError } from '../service-error.js';
import { describeBlocks } from '../ticket/ticket-blocks.js';
import { downloadBlocks, formatFasta, saveFile } from './save-blocks.js';

const FASTA = 'FASTA';
/** The most bases of a FASTA file. */
const MOST_BASES = 100_000_000;

/** Downloads the shown region in a format, with its progress. */
export class DownloadForm {
  readonly element: HTMLElement;
  readonly #source: ObjectSource;
  readonly #select: HTMLSelectElement;
  readonly #state = h('div', { class: 'download-state' });
  #region: HtsgetRegion | undefined;
  #filter: RecordFilter = {};

  constructor(source: ObjectSource) {
    this.#source = source;
    const formats = [...source.object.formats, FASTA];
    this.#select = h(
      'select',
      { id: 'download-format', 'aria-label': 'Format' },
      ...formats.map((format) => h('option', { value: format }, format === 'VCFTEXT' ? 'VCF as text' : format)),
    );
    this.element = h(
      'form',
      {
        class: 'download',
        submit: (event) => {
          event.preventDefault();
          void this.#download();
        },
      },
      h('label', { for: 'download-format' }, 'Download the region'),
      h('div', { class: 'row' }, this.#select, h('button', { type: 'submit' }, 'Download')),
      this.#state,
    );
  }

  /** Sets what is downloaded. A download that has begun continues. */
  show(region: HtsgetRegion | undefined, filter: RecordFilter): void {
    this.#region = region;
    this.#filter = filter;
  }

  async #download(): Promise<void> {
    const region = this.#region;
    if (region === undefined) {
      this.#state.replaceChildren(hint('There is no region to download.'));
      return;
    }
    const format = this.#select.value;
    const controller = new AbortController();
    const bar = h('progress', { 'aria-label': 'Progress' });
    const text = h('span', { role: 'status' }, 'Requesting …');
    const cancel = h('button', { type: 'button', class: 'quiet', click: () => controller.abort() }, 'Cancel');
    this.#state.replaceChildren(bar, text, cancel);
    try {
      const onProgress = (bytes: number, of?: number): void => {
        text.textContent = of === undefined ? size(bytes) : `${size(bytes)} of ${size(of)}`;
        if (of !== undefined) bar.value = bytes / of;
      };
      const data =
        format === FASTA
          ? await this.#readFasta(region, controller.signal)
          : await this.#readRecords(region, format as HtsgetFormat, { signal: controller.signal, onProgress });
      const name = fileName(this.#source.object.id, region, format);
      saveFile(data, name);
      this.#state.replaceChildren(h('p', { class: 'hint', role: 'status' }, `Saved ${name}, ${size(data.size)}.`));
    } catch (error) {
      this.#state.replaceChildren(controller.signal.aborted ? hint('The download was cancelled.') : failure(error));
    }
  }

  async #readRecords(
    region: HtsgetRegion,
    format: HtsgetFormat,
    { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number, of?: number) => void },
  ): Promise<Blob> {
    const input = this.#source.commandInput(region);
    const ticket = await service.ticket(ticketUrl({ ...input, format, filter: this.#filter }), signal);
    const lengths = describeBlocks(ticket, { fileBytes: 0, host: '' }).map(({ bytes }) => bytes ?? Number.NaN);
    const total = lengths.reduce((sum, bytes) => sum + bytes, 0);
    const isKnown = Number.isFinite(total);
    return downloadBlocks(ticket, { signal, onProgress: (bytes) => onProgress(bytes, isKnown ? total : undefined) });
  }

  async #readFasta({ referenceName, start = 0, end }: HtsgetRegion, signal: AbortSignal): Promise<Blob> {
    const [genome, { references }] = await Promise.all([this.#source.genome(), this.#source.header()]);
    const digest = genome?.digests.get(referenceName);
    const length = references.find(({ name }) => name === referenceName)?.length ?? end;
    if (digest === undefined || length === undefined)
      throw new ServiceError('no genome of this server has the sequence of this region', 0);
    const last = Math.min(end ?? length, length);
    if (last - start > MOST_BASES) throw new ServiceError('the region is too long for FASTA', 0);
    return new Blob([formatFasta(referenceName, start, await service.bases(digest, start, last, signal))]);
  }
}

/** Returns a name such as `NA12878.chr1_1-1000.bam`, without characters that file systems reserve. */
function fileName(id: string, { referenceName, start = 0, end }: HtsgetRegion, format: string): string {
  const extension = format === FASTA ? 'fa' : FORMAT_EXTENSIONS[format as HtsgetFormat];
  const name = `${id.slice(id.lastIndexOf('/') + 1)}.${referenceName}_${start + 1}-${end ?? ''}.${extension}`;
  return name.replaceAll(/[\\/:*?"<>|\s]/g, '_');
}
