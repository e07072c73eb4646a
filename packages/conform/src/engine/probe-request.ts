/** A request of a rule. */
export interface ProbeRequest {
  readonly url: string;
  /** Default GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'QUERY';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the token of the run is sent. Default true; block URLs have credentials of their own. */
  readonly isAuthorized?: boolean;
  /** The most bytes of the answer. Default: those that the run may still receive. */
  readonly maxBytes?: number;
}

/** Returns the command that repeats a request of a run. Credentials are replaced by `$TOKEN`. */
export function toCurl(
  { url, method = 'GET', headers = {}, body, isAuthorized = true }: ProbeRequest,
  { hasToken }: { readonly hasToken: boolean },
): string {
  const options = [
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : [`-X ${method}`]),
    ...(hasToken && isAuthorized ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) =>
      isSecret(name, value) ? `-H "${name}: $TOKEN"` : `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
  ];
  return ['curl -s', ...options, quote(url)].join(' ');
}

/** Returns whether a header is the credential of a block, rather than a token that a rule made up. */
function isSecret(name: string, value: string): boolean {
  return name.toLowerCase() === 'authorization' && !value.includes('htskit-conform');
}

/** Quotes an argument for a POSIX shell. Control characters become escapes of `$'…'`, so that they change no terminal. */
function quote(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, (control) => {
    return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}
