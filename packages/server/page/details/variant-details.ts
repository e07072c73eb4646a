import type { VariantValue, VcfVariantRecord } from '@htskit/formats';
import { type Cell, count, h, table } from '../dom.js';
import { genotypeKind } from '../genotypes/genotype-matrix.js';

/** The most samples that are listed, and characters of a value. */
const [MOST_SAMPLES, MOST_CHARACTERS] = [500, 500];

/** The declarations of INFO, FORMAT and FILTER with their descriptions (VCFv4.3 §1.4). */
const DECLARATION =
  /^##(?<kind>INFO|FORMAT|FILTER)=<(?:.*?,)?ID=(?<id>[^,>]+).*?Description="(?<text>(?:[^"\\]|\\.)*)"/gm;

/** Returns descriptions by names such as `INFO/DP`. */
function parseDescriptions(headerText: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(headerText.matchAll(DECLARATION), ({ groups }) => [
      `${groups?.['kind']}/${groups?.['id']}`,
      (groups?.['text'] ?? '').replaceAll(/\\(.)/g, '$1'),
    ]),
  );
}

/** Shows all of a variant: its alleles, its filters, the values of INFO, and those of each sample. */
export function variantDetails(record: VcfVariantRecord, headerText: string): HTMLElement {
  const descriptions = parseDescriptions(headerText);
  const filters = (record.filters ?? []).map((filter) => withMeaning(filter, descriptions.get(`FILTER/${filter}`)));
  const facts: (readonly [string, string])[] = [
    ['Place', `${record.referenceName}:${count(record.start + 1)}-${count(record.end)}`],
    ['ID', record.id ?? 'none'],
    ['REF', cut(record.ref)],
    ['ALT', record.alt.map(cut).join(', ') || 'none'],
    ['Quality', record.quality === undefined ? 'missing' : String(record.quality)],
    ['Filters', filters.join('; ') || 'not applied'],
  ];
  return h(
    'div',
    { class: 'stack' },
    h('dl', { class: 'pair' }, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    infoTable(record, descriptions),
    samplesTable(record, descriptions),
  );
}

function infoTable(record: VcfVariantRecord, descriptions: ReadonlyMap<string, string>): HTMLElement {
  const rows = record.infoKeys.map((key) => [
    h('code', {}, key),
    valueText(record.info(key)),
    descriptions.get(`INFO/${key}`) ?? '',
  ]);
  if (rows.length === 0) return h('p', { class: 'hint' }, 'The record has no INFO.');
  return table({ caption: 'INFO', titles: ['INFO', 'Value', 'Meaning'] }, rows);
}

function samplesTable(record: VcfVariantRecord, descriptions: ReadonlyMap<string, string>): HTMLElement {
  const keys = record.formatKeys;
  const { samples } = record.header;
  if (keys.length === 0 || samples.length === 0) return h('p', { class: 'hint' }, 'The record has no genotypes.');
  const rows = samples.slice(0, MOST_SAMPLES).map((name, sample): Cell[] => [
    name,
    ...keys.map((key) => {
      if (key !== 'GT') return valueText(record.formatValue(sample, key));
      const genotype = record.genotype(sample);
      return h('span', {}, h('span', { class: `swatch ${genotypeKind(genotype)}` }), genotypeText(record, sample));
    }),
  ]);
  const meanings = keys.flatMap((key) => {
    const meaning = descriptions.get(`FORMAT/${key}`);
    return meaning === undefined ? [] : [withMeaning(key, meaning)];
  });
  const isCut = samples.length > MOST_SAMPLES;
  return h(
    'div',
    { class: 'named-rows' },
    table({ caption: 'Genotypes', titles: ['Sample', ...keys] }, rows),
    h('p', { class: 'hint' }, [...meanings, ...(isCut ? [`the first ${count(MOST_SAMPLES)} samples`] : [])].join('; ')),
  );
}

/** Returns GT with the alleles themselves if they are short, such as `0/1 (A/T)`. */
function genotypeText(record: VcfVariantRecord, sample: number): string {
  const genotype = record.genotype(sample);
  if (genotype === undefined) return '.';
  const alleles = [record.ref, ...record.alt];
  const join = (texts: readonly string[]): string =>
    texts.reduce(
      (text, allele, index) => `${text}${index === 0 ? '' : genotype.phases[index] ? '|' : '/'}${allele}`,
      '',
    );
  const numbers = join(genotype.alleles.map((allele) => (allele === null ? '.' : String(allele))));
  const bases = join(genotype.alleles.map((allele) => (allele === null ? '.' : (alleles[allele] ?? '?'))));
  return bases.length > 20 ? numbers : `${numbers} (${bases})`;
}

function valueText(value: VariantValue | undefined): string {
  if (value === undefined || value === null) return '.';
  if (value === true) return 'set';
  return cut(typeof value === 'object' ? value.map((each) => String(each ?? '.')).join(', ') : String(value));
}

function withMeaning(name: string, meaning: string | undefined): string {
  return meaning === undefined || meaning === '' ? name : `${name}: ${meaning}`;
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}… (${count(text.length)} characters)` : text;
}
