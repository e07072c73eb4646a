import { readFile } from 'node:fs/promises';
import { UsageError } from '../../errors.js';

/** A field line (RFC 9110 §5.5, §5.6.2), restricted to ASCII. */
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e\t]*?)[ \t]*$/;
/** The syntax of a bearer token (RFC 6750 §2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

export interface RequestHeadersInput {
  /** Request headers, each as `Name: value`. */
  readonly lines: readonly string[];
  /** The path of a file with a bearer token. */
  readonly tokenFile?: string | undefined;
  /** The credentials of the URL: see `takeCredentials`. */
  readonly credentials: { readonly authorization?: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the headers of a ticket request. The Authorization header comes from the token file, else from the URL, else from
 * HTSKIT_TOKEN. Throws UsageError for an invalid header and Error for an invalid token; the messages do not repeat either.
 */
export async function requestHeaders({
  lines,
  tokenFile,
  credentials,
  environment,
}: RequestHeadersInput): Promise<Readonly<Record<string, string>>> {
  const headers = Object.fromEntries(lines.map(parseHeader));
  if (tokenFile !== undefined) return { ...headers, ...bearer(await readFile(tokenFile, 'utf8'), tokenFile) };
  const { HTSKIT_TOKEN: token = '' } = environment;
  if (credentials.authorization !== undefined || token === '') return { ...headers, ...credentials };
  return { ...headers, ...bearer(token, 'HTSKIT_TOKEN') };
}

function parseHeader(line: string): [name: string, value: string] {
  const [, name, value] = HEADER.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("invalid header; expected 'Name: value'");
  if (name.toLowerCase() !== 'authorization') return [name.toLowerCase(), value];
  throw new UsageError(
    'refusing a token on the command line, where other users can see it; use --token-file or HTSKIT_TOKEN',
  );
}

function bearer(text: string, source: string): { readonly authorization: string } {
  const token = text.trim();
  if (TOKEN.test(token)) return { authorization: `Bearer ${token}` };
  throw new Error(`${source} does not hold a bearer token: expected letters, digits and -._~+/, and = at the end`);
}
