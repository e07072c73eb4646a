import { unescape as decodePercent } from 'node:querystring';

/** What of a URL says which part of an object it is about. */
export const REGION_PARAMETERS = ['referenceName', 'start', 'end'] as const;
/** What a query with several regions has in its body. */
export const BODY_PARAMETERS = ['format', 'class', 'fields', 'tags', 'notags'] as const;

/** Takes parameters out of the query of a URL. Those of other names are the service's own, and stay. */
export function takeParameters<Name extends string>(
  url: URL,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const taken: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value === null) continue;
    taken[name] = value;
    url.searchParams.delete(name);
  }
  return taken;
}

/** Takes user and password out of a URL: `fetch` refuses URLs that have them, and names them as it does. */
export function takeCredentials(url: URL): { readonly authorization?: string } {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64');
  return { authorization: `Basic ${credentials}` };
}
