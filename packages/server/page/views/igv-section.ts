import { h } from '../dom.js';
import type { IgvOptions } from '../igv/igv.js';
import { service } from '../service.js';
import { hint, loading, showFailure } from './notices.js';

export interface IgvSectionOptions extends Omit<IgvOptions, 'fasta' | 'bigWig'> {
  /** Resolves to the FASTA file of the reference, if this server has it. */
  readonly fasta: Promise<string | undefined>;
}

/** A button that opens igv.js below it, which is loaded then. */
export function igvSection({ fasta, ...options }: IgvSectionOptions): HTMLElement {
  const target = h('div', { class: 'igv' });
  const open = async (): Promise<void> => {
    target.replaceChildren(loading('Loading igv.js'));
    try {
      const reference = await fasta;
      if (reference === undefined) {
        target.replaceChildren(
          hint('No genome of this server has the references of this object, so igv.js has nothing to show them on.'),
        );
        return;
      }
      const { sanitizeHtml } = await import('../safe-html.js');
      // igv.js parses HTML as soon as it is loaded.
      sanitizeHtml();
      const { openIgv } = await import('../igv/igv.js');
      const frame = h('div', { class: 'igv-frame' });
      target.replaceChildren(frame);
      await openIgv(frame, { ...options, fasta: reference, bigWig: await service.bigWig(options) });
    } catch (error) {
      showFailure(target, error);
    }
  };
  const button = h('button', { type: 'button', click: () => void open() }, 'Open in igv.js');
  return h('div', {}, button, target);
}
