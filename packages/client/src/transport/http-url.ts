/** An absolute HTTP(S) URL without credentials; undefined for anything else. `base` is what a relative one is relative to. */
export function parseHttpUrl(text: string, base?: string): URL | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}

/** Whether one goes from https to http. */
export function isDowngrade(from: string, to: string): boolean {
  return new URL(from).protocol === 'https:' && new URL(to).protocol === 'http:';
}
