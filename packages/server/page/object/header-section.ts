import type { HtsgetRegion } from '@htskit/protocol';
import { codeBox, countOf, h, size, table } from '../dom.js';
import { hint } from '../notices.js';
import type { DecodedFile } from '../records/decode-records.js';

const MOST_REFERENCES = 500;
/** The maximum number of references that are shown without a click. */
const MOST_OPEN = 30;
/** The maximum number of characters of a header that are shown. */
const MOST_HEADER = 200_000;

/** Shows the references, the samples and the text of a header. */
export function headerSection(
  { references, samples, headerText }: DecodedFile,
  hrefOf: (region: HtsgetRegion) => string,
): HTMLElement {
  const rows = references
    .slice(0, MOST_REFERENCES)
    .map(({ name, length }) => [h('a', { href: hrefOf({ referenceName: name }) }, name), length ?? '']);
  const isCut = references.length > MOST_REFERENCES;
  const summary = `${countOf(references.length, 'reference')}${samples.length === 0 ? '' : `, ${countOf(samples.length, 'sample')}`}`;
  return h(
    'div',
    {},
    h(
      'details',
      { open: references.length <= MOST_OPEN },
      h('summary', {}, summary),
      ...(samples.length === 0
        ? []
        : [h('p', {}, `Samples: ${samples.slice(0, 50).join(', ')}${samples.length > 50 ? ' …' : ''}`)]),
      table({ caption: 'References', titles: ['Name', 'Length#'] }, rows),
      isCut && hint(`Only the first ${MOST_REFERENCES} are shown.`),
    ),
    h(
      'details',
      { open: true },
      h('summary', {}, `Text, ${size(headerText.length)}`),
      codeBox(headerText.slice(0, MOST_HEADER), 'the header'),
      headerText.length > MOST_HEADER && hint(`Only the first ${size(MOST_HEADER)} are shown.`),
    ),
  );
}
