import { queryParameters } from '@htskit/http/internal';
import { encodePercents } from '@htskit/io/internal';

/** A place in the page, which the fragment of its URL names. */
export type Place =
  | { readonly view: 'objects'; readonly search: string }
  | {
      readonly view: 'object';
      readonly datatype: 'reads' | 'variants';
      readonly id: string;
      readonly region: string | undefined;
    }
  | { readonly view: 'sequences'; readonly search: string }
  | { readonly view: 'collection'; readonly digest: string }
  | { readonly view: 'comparison'; readonly a: string; readonly b: string }
  | { readonly view: 'unknown' };

/** Parses a fragment such as `#/reads/NA12878?region=chr1:1-1000`. */
export function parsePlace(fragment: string): Place {
  const [path = '', query = ''] = fragment.replace(/^#?\/?/, '').split('?', 2);
  const parameters = queryParameters({ url: `?${query}` });
  const [area = '', ...segments] = path.split('/').map(decode);
  const search = parameters.get('search') ?? '';
  const [first, second] = segments;
  if (area === '') return { view: 'objects', search };
  if (area === 'sequences') return { view: 'sequences', search };
  if ((area === 'reads' || area === 'variants') && first !== undefined) {
    return { view: 'object', datatype: area, id: segments.join('/'), region: parameters.get('region') ?? undefined };
  }
  if (area === 'collection' && first !== undefined) return { view: 'collection', digest: first };
  if (area === 'comparison' && first !== undefined && second !== undefined) {
    return { view: 'comparison', a: first, b: second };
  }
  return { view: 'unknown' };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the fragment of a place. */
export function toFragment(place: Exclude<Place, { view: 'unknown' }>): string {
  switch (place.view) {
    case 'objects':
      return `#/${toQuery({ search: place.search })}`;
    case 'sequences':
      return `#/sequences${toQuery({ search: place.search })}`;
    case 'object':
      return `#/${place.datatype}/${place.id.split('/').map(encodeURIComponent).join('/')}${toQuery({ region: place.region ?? '' })}`;
    case 'collection':
      return `#/collection/${encodeURIComponent(place.digest)}`;
    case 'comparison':
      return `#/comparison/${encodeURIComponent(place.a)}/${encodeURIComponent(place.b)}`;
  }
}

function toQuery(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${encodePercents(value)}`).join('&')}`;
}
