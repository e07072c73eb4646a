/**
 * Parses the URL at which clients reach the server, and returns it without a slash at its end. Throws RangeError for anything
 * but an absolute http or https URL without credentials, query and fragment.
 */
export function parsePublicUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new RangeError('a public URL must be absolute and begin with http:// or https://');
  }
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` !== '') {
    throw new RangeError('a public URL must not have credentials, a query or a fragment');
  }
  return text.replace(/\/+$/, '');
}

/** Replaces the address of all interfaces, to which a client cannot connect, by the loopback address. */
export function toLoopback(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
