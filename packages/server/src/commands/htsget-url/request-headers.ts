import { readFile } from 'node:fs/promises';
import { UsageError } from '../../errors.js';

/** RFC 9110 §5.6.2, and §5.5 without what lies beyond ASCII. */
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e\t]*?)[ \t]*$/;
/** RFC 6750 §2.1. */
const TOKEN = /^[\w.~+/-]+=*$/;

export interface RequestHeadersInput {
  /** `Name: value` each. */
  readonly lines: readonly string[];
  /** A file that holds a bearer token. */
  readonly tokenFile?: string | undefined;
  /** Of the URL: see `takeCredentials`. */
  readonly credentials: { readonly authorization?: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The headers of a request for a ticket. Who asks is told by the token of a file, or else by the URL, or else by that of
 * HTSKIT_TOKEN. Throws UsageError for headers that are none, and Error for tokens that are none; neither is repeated.
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
  if (name === undefined || value === undefined) throw new UsageError("a header is written 'Name: value'");
  if (name.toLowerCase() !== 'authorization') return [name.toLowerCase(), value];
  throw new UsageError('others see a token on the command line: it goes into HTSKIT_TOKEN, or a file for --token-file');
}

function bearer(text: string, source: string): { readonly authorization: string } {
  const token = text.trim();
  if (TOKEN.test(token)) return { authorization: `Bearer ${token}` };
  throw new Error(`${source} holds no bearer token, which is letters, digits and any of -._~+/ with = at the end`);
}
