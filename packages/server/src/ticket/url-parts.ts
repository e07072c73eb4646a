import { unescape as decodePercent } from 'node:querystring';

/** Query parameters that select a region. */
export const REGION_PARAMETERS = ['referenceName', 'start', 'end'] as const;
/** Query parameters that a POST with several regions has in its body. */
export const BODY_PARAMETERS = ['format', 'class', 'fields', 'tags', 'notags'] as const;

/** Removes parameters from the query of a URL and returns them. Other parameters belong to the service and stay. */
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

/**
 * Removes user and password from a URL and returns them as a header. `fetch` refuses URLs with credentials, and its error message
 * contains them.
 */
export function takeCredentials(url: URL): { readonly authorization?: string } {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64');
  return { authorization: `Basic ${credentials}` };
}
