import { UsageError } from './usage-error.js';

/** The hosts of this machine as the URL parser normalises them. Services there rarely have certificates. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Parses a URL, in which `htsget://` stands for `https://`, or for `http://` on this machine. Returns undefined for other text. */
export function toServiceUrl(text: string): URL | undefined {
  const secure = text.replace(/^htsget:/i, 'https:');
  if (!URL.canParse(secure)) return undefined;
  const url = new URL(secure);
  // Only the parsed host is the one that is connected to. The text is parsed again, since 443 is no longer in the URL.
  return secure !== text && LOOPBACK.test(url.hostname) ? new URL(text.replace(/^htsget:/i, 'http:')) : url;
}

/** Parses a URL as `toServiceUrl` does. Throws UsageError. */
export function parseServiceUrl(text: string): URL {
  const url = toServiceUrl(text);
  if (url === undefined) throw new UsageError('invalid URL');
  return url;
}
