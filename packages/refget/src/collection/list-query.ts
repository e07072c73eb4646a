import { RefgetError } from '@htskit/protocol';
import { COLLECTION_ATTRIBUTES } from './collection-attributes.js';
import type { CollectionFilter } from './collection-catalogue.js';

/** What a request for a list asks for. */
export interface ListQuery {
  readonly filters: readonly CollectionFilter[];
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
}

const DEFAULT_PAGE_SIZE = 100;

/** So that no answer is long, and no product of both numbers is inexact. */
const MAX_PAGE_SIZE = 10_000;
const MAX_PAGE = 1_000_000_000;

/** Parses the query of a list (sequence collections 1.0.0, §3.4). Throws RefgetError: Bad Request. */
export function parseListQuery(params: URLSearchParams): ListQuery {
  const filters: CollectionFilter[] = [];
  for (const [name, digest] of params) {
    if (name === 'page' || name === 'page_size') continue;
    const attribute = COLLECTION_ATTRIBUTES.find((known) => known === name);
    if (attribute === undefined) {
      throw new RefgetError('Bad Request', `a list has page, page_size and ${COLLECTION_ATTRIBUTES.join(', ')}`);
    }
    filters.push({ attribute, digest });
  }
  return {
    filters,
    page: parseNumber(params, { name: 'page', minimum: 0, maximum: MAX_PAGE }) ?? 0,
    pageSize: parseNumber(params, { name: 'page_size', minimum: 1, maximum: MAX_PAGE_SIZE }) ?? DEFAULT_PAGE_SIZE,
  };
}

interface NumberRules {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
}

function parseNumber(params: URLSearchParams, { name, minimum, maximum }: NumberRules): number | undefined {
  const values = params.getAll(name);
  const [text] = values;
  if (text === undefined) return undefined;
  const value = values.length === 1 && /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (value >= minimum && value <= maximum) return value;
  throw new RefgetError('Bad Request', `${name} must be one whole number from ${minimum} to ${maximum}`);
}
