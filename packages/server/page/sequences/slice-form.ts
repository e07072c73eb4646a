import { sequenceCommand } from '../commands.js';
import { codeBox, count, h } from '../dom.js';
import { loading, showFailure } from '../notices.js';
import { BASE, type SequenceMetadata, service } from '../service.js';
import { token } from '../token/token.js';

/** The maximum number of bases that are shown. */
const MOST_BASES = 10_000;
const FIRST_BASES = 300;
const LINE_BASES = 60;

/** A form for a part of a sequence, which it shows in lines of 60 bases. */
export function sliceForm({ md5, length }: Pick<SequenceMetadata, 'md5' | 'length'>): HTMLElement {
  const field = (name: string, label: string, value: number): HTMLInputElement =>
    h('input', { type: 'number', id: name, 'aria-label': label, min: 1, max: length, value, required: true });
  const first = field('first', 'First base', Math.min(1, length));
  const last = field('last', 'Last base', Math.min(FIRST_BASES, length));
  const output = h('div', { class: 'stack' });
  const show = async (): Promise<void> => {
    output.replaceChildren(loading('Reading the bases'));
    const start = Number(first.value) - 1;
    const end = Math.min(Number(last.value), start + MOST_BASES);
    try {
      const bases = await service.bases(md5, start, end);
      const command = sequenceCommand({ base: BASE.href, needsToken: token.get() !== '' }, { id: md5, start, end });
      output.replaceChildren(codeBox(formatBases(bases, start), 'the bases'), codeBox(command, 'the command'));
    } catch (error) {
      showFailure(output, error);
    }
  };
  if (length > 0) void show();
  return h(
    'form',
    {
      class: 'region slice',
      submit: (event) => {
        event.preventDefault();
        void show();
      },
    },
    h('label', { for: 'first' }, `Bases from and to, at most ${count(MOST_BASES)}`),
    h('div', { class: 'row' }, first, last, h('button', { type: 'submit' }, 'Show')),
    output,
  );
}

/** Formats bases in lines that begin with the position of their first base, 1-based. */
function formatBases(bases: string, start: number): string {
  const width = count(start + bases.length).length;
  const lines: string[] = [];
  for (let at = 0; at < bases.length; at += LINE_BASES) {
    lines.push(`${count(start + at + 1).padStart(width)}  ${bases.slice(at, at + LINE_BASES)}`);
  }
  return lines.join('\n');
}
