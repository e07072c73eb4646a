/** A URL at which clients reach the server, without a slash at its end. Throws RangeError for what is none. */
export function parsePublicUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new RangeError('a public URL is absolute and begins with http:// or https://');
  }
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` !== '') {
    throw new RangeError('a public URL has no credentials, query or fragment');
  }
  return text.replace(/\/+$/, '');
}
