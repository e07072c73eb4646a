/** Base64url without padding (RFC 4648 §5) of a text, each character of which stands for a byte. */
export function toBase64Url(binary: string): string {
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The inverse of `toBase64Url`. Throws for what is not base64url. */
export function fromBase64Url(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
}
