import { h } from '../dom.js';
import { hint } from '../notices.js';
import type { RecordFilter } from '../route.js';

/** Bits of FLAG that are often excluded. */
const EXCLUDED = [
  [0x4, 'unmapped'],
  [0x100, 'secondary'],
  [0x200, 'failed'],
  [0x400, 'duplicate'],
  [0x800, 'supplementary'],
] as const;

export interface FilterOptions {
  readonly datatype: 'reads' | 'variants';
  readonly filter: RecordFilter;
  readonly samples: readonly string[];
  readonly onFilter: (filter: RecordFilter) => void;
}

/** A form for which records are shown, by the parameters of the service. */
export function filterForm({ datatype, filter, samples, onFilter }: FilterOptions): HTMLElement | undefined {
  if (datatype === 'variants' && samples.length < 2) return undefined;
  const excluded = Number(filter.excludeFlags ?? 0);
  const boxes = EXCLUDED.map(([bit, name]) => {
    const box = h('input', { type: 'checkbox', checked: (excluded & bit) !== 0, value: bit });
    return { box, label: h('label', { class: 'check' }, box, name) };
  });
  const quality = h('input', { type: 'number', min: 0, max: 255, value: filter.minMappingQuality ?? '' });
  const required = h('input', {
    value: filter.requireFlags ?? '',
    placeholder: '0x2',
    pattern: '\\d+|0[xX][\\da-fA-F]+',
  });
  const names = h('input', {
    value: filter.samples ?? '',
    list: 'samples',
    placeholder: samples.slice(0, 3).join(','),
  });
  const read = (): RecordFilter => {
    // Bits that have no box stay.
    const others = EXCLUDED.reduce((bits, [bit]) => bits & ~bit, excluded);
    const flags = boxes.reduce((bits, { box }) => bits | (box.checked ? Number(box.value) : 0), others);
    const values = {
      excludeFlags: flags === 0 ? '' : String(flags),
      minMappingQuality: quality.value,
      requireFlags: required.value.trim(),
      samples: names.value.replaceAll(' ', ''),
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  };
  const field = (text: string, input: HTMLElement): HTMLElement => h('label', { class: 'field' }, text, input);
  const active = Object.keys(filter).length;
  return h(
    'details',
    { class: 'filters', open: active > 0 },
    h('summary', {}, active === 0 ? 'Filters' : `Filters (${active} set)`),
    h(
      'form',
      {
        class: 'row',
        submit: (event) => {
          event.preventDefault();
          onFilter(read());
        },
      },
      ...(datatype === 'reads'
        ? [
            h('fieldset', {}, h('legend', {}, 'Leave out'), ...boxes.map(({ label }) => label)),
            field('Least mapping quality', quality),
            field('Required flags', required),
          ]
        : []),
      ...(samples.length > 1 ? [field('Samples, with commas between them', names)] : []),
      h('datalist', { id: 'samples' }, ...samples.slice(0, 200).map((name) => h('option', { value: name }))),
      h('button', { type: 'submit' }, 'Apply'),
      active > 0 && h('button', { type: 'button', class: 'quiet', click: () => onFilter({}) }, 'Clear'),
    ),
    datatype === 'reads' && active > 0 && hint('The filters do not change the depth.'),
  );
}
