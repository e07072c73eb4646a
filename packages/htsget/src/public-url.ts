/** The URL without slashes at its end. Throws RangeError unless it is absolute, and nothing but http(s), a host and a path. */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('publicUrl must be absolute, and begin with http:// or https://');
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new RangeError('publicUrl must have no credentials, query or fragment');
  }
  return text.replace(/\/+$/, '');
}
