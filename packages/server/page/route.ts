import { queryParameters } from '@htskit/http/internal';
import { encodePercents } from '@htskit/io/internal';

/** What a tab of an object shows: its data, igv.js, how clients read it, how it is delivered, or its header. */
export const TABS = ['data', 'igv', 'clients', 'delivery', 'header'] as const;

/** Which records are shown, by the parameters of the service. */
export type RecordFilter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

const FILTERS = ['requireFlags', 'excludeFlags', 'minMappingQuality', 'samples'] as const;

/** An object, and what is shown of it. */
export interface ObjectPlace {
  readonly view: 'object';
  readonly datatype: 'reads' | 'variants';
  readonly id: string;
  readonly region: string | undefined;
  readonly tab: (typeof TABS)[number];
  /** The objects that igv.js shows beside this one, such as `variants/trio`. */
  readonly tracks: readonly string[];
  readonly filter: RecordFilter;
}

/** The list of objects: those whose ids contain a text, of a kind, with a format, sorted by a column. */
export interface ObjectsPlace {
  readonly view: 'objects';
  readonly search: string;
  readonly kind: string;
  readonly format: string;
  /** A column such as `size`, or `-size` for descending order. */
  readonly sort: string;
}

/** A place in the page, which the fragment of its URL names. */
export type Place =
  | ObjectsPlace
  | ObjectPlace
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
  if (area === '') return parseObjects(parameters);
  if (area === 'sequences') return { view: 'sequences', search };
  if ((area === 'reads' || area === 'variants') && first !== undefined) {
    return parseObject({ datatype: area, id: segments.join('/') }, parameters);
  }
  if (area === 'collection' && first !== undefined) return { view: 'collection', digest: first };
  if (area === 'comparison' && first !== undefined && second !== undefined) {
    return { view: 'comparison', a: first, b: second };
  }
  return { view: 'unknown' };
}

type Parameters = ReturnType<typeof queryParameters>;

function parseObject(object: Pick<ObjectPlace, 'datatype' | 'id'>, parameters: Parameters): ObjectPlace {
  const given = FILTERS.map((name) => [name, parameters.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  return {
    ...objectPlace(object),
    region: parameters.get('region') ?? undefined,
    tab: TABS.find((tab) => tab === parameters.get('tab')) ?? 'data',
    tracks: parameters.getAll('track'),
    filter: Object.fromEntries(given),
  };
}

function parseObjects(parameters: Parameters): ObjectsPlace {
  const place = { view: 'objects', search: '', kind: '', format: '', sort: '' } as const;
  const names = ['search', 'kind', 'format', 'sort'] as const;
  return { ...place, ...Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) };
}

/** Returns the place of an object, at its first region if none is given. */
export function objectPlace({ datatype, id }: Pick<ObjectPlace, 'datatype' | 'id'>, region?: string): ObjectPlace {
  return { view: 'object', datatype, id, region, tab: 'data', tracks: [], filter: {} };
}

/** Returns a name such as `reads/NA12878`, as the lists of tracks have it. */
export function objectName({ datatype, id }: Pick<ObjectPlace, 'datatype' | 'id'>): string {
  return `${datatype}/${id}`;
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
      return `#/${toQuery([
        ['search', place.search],
        ['kind', place.kind],
        ['format', place.format],
        ['sort', place.sort],
      ])}`;
    case 'sequences':
      return `#/sequences${toQuery([['search', place.search]])}`;
    case 'object':
      return `#/${place.datatype}/${place.id.split('/').map(encodeURIComponent).join('/')}${toQuery(objectQuery(place))}`;
    case 'collection':
      return `#/collection/${encodeURIComponent(place.digest)}`;
    case 'comparison':
      return `#/comparison/${encodeURIComponent(place.a)}/${encodeURIComponent(place.b)}`;
  }
}

function objectQuery({ region = '', tab, tracks, filter }: ObjectPlace): (readonly [string, string])[] {
  const names = tracks.map((track) => ['track', track] as const);
  return [['region', region], ...Object.entries(filter), ['tab', tab === 'data' ? '' : tab], ...names];
}

function toQuery(parameters: readonly (readonly [name: string, value: string])[]): string {
  const given = parameters.filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${encodePercents(value)}`).join('&')}`;
}
