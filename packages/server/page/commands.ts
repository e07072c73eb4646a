import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import { formatRegion } from '../src/stored-file/parse-region.js';

/** The region of an object that the commands read. */
export interface CommandInput {
  /** The URL of the server, with a slash at its end. */
  readonly base: string;
  readonly datatype: 'reads' | 'variants';
  readonly id: string;
  /** 0-based, half-open. Undefined for the whole object. */
  readonly region: HtsgetRegion | undefined;
  /** Undefined for the default format of the datatype. */
  readonly format?: HtsgetFormat | undefined;
  /** Whether requests need a bearer token. */
  readonly needsToken: boolean;
  /** The FASTA file of the reference on this server, without its index. */
  readonly fasta?: string | undefined;
}

/** A command or a piece of code for a client. */
export interface ClientCommand {
  readonly client: string;
  readonly text: string;
  /** What the client needs. */
  readonly note?: string;
}

/** Returns the URL of the ticket for the region. */
export function ticketUrl({ base, datatype, id, region, format }: CommandInput): string {
  const parameters = new URLSearchParams();
  if (format !== undefined) parameters.set('format', format);
  if (region !== undefined) {
    parameters.set('referenceName', region.referenceName);
    if (region.start !== undefined) parameters.set('start', String(region.start));
    if (region.end !== undefined) parameters.set('end', String(region.end));
  }
  const query = parameters.size === 0 ? '' : `?${parameters}`;
  return `${base}${datatype}/${id.split('/').map(encodeURIComponent).join('/')}${query}`;
}

/** Returns the ways to read the region with common clients, the shortest first. */
export function commandsFor(input: CommandInput): readonly ClientCommand[] {
  const { datatype } = input;
  return [
    { client: datatype === 'reads' ? 'samtools' : 'bcftools', ...htslib(input) },
    { client: 'htskit', text: htskit(input) },
    { client: 'curl', text: curl(input), note: 'needs jq; fetches the ticket and joins its blocks' },
    { client: 'Python', text: python(input), note: 'pip install htsget' },
    { client: 'R', text: r(input), note: 'install.packages(c("httr2", "jsonlite"))' },
    { client: 'igv.js', text: igv(input) },
    ...(datatype === 'reads' ? [{ client: 'JBrowse', text: jbrowse(input), note: 'a track of JBrowse 2' }] : []),
  ];
}

/** Quotes a text for a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a text for Python and R. */
const quote = (text: string): string => JSON.stringify(text);

const wholeUrl = (input: CommandInput): string => ticketUrl({ ...input, region: undefined, format: undefined });

const fileName = ({ id, datatype, format }: CommandInput): string => {
  const extension = format === 'BCF' ? 'bcf' : format === 'VCFTEXT' ? 'vcf' : (format ?? 'BAM').toLowerCase();
  return `${id.slice(id.lastIndexOf('/') + 1)}.${datatype === 'variants' && extension === 'bam' ? 'vcf.gz' : extension}`;
};

function htslib(input: CommandInput): Pick<ClientCommand, 'text' | 'note'> {
  const program = input.datatype === 'reads' ? 'samtools view -h' : 'bcftools view';
  const text = `${program} ${shellQuote(ticketUrl(input))}`;
  if (!input.needsToken) return { text };
  return { text: `export HTS_AUTH_LOCATION=token.txt\n${text}`, note: 'token.txt holds the token alone' };
}

function htskit(input: CommandInput): string {
  const region = input.region === undefined ? '' : ` ${shellQuote(formatRegion(input.region))}`;
  const token = input.needsToken ? ' --token-file token.txt' : '';
  const format = input.format === undefined ? '' : ` --format ${input.format}`;
  return `htskit get ${shellQuote(wholeUrl(input))}${region}${format}${token} -o ${shellQuote(fileName(input))}`;
}

function curl(input: CommandInput): string {
  const token = input.needsToken ? ' -H "Authorization: Bearer $TOKEN"' : '';
  return [
    `curl -sSf${token} ${shellQuote(ticketUrl(input))} | jq -r '.htsget.urls[] |`,
    '  if .url | startswith("data:") then "echo \\(.url | sub(".*,"; "") | @sh) | base64 -d"',
    '  else "curl -sSf \\(.url | @sh) \\([.headers // {} | to_entries[] | "-H " + ("\\(.key): \\(.value)" | @sh)] | join(" "))"',
    `  end' | sh > ${shellQuote(fileName(input))}`,
  ].join('\n');
}

function python(input: CommandInput): string {
  const { region, format, needsToken } = input;
  const options = [
    region && `reference_name=${quote(region.referenceName)}`,
    region?.start !== undefined && `start=${region.start}`,
    region?.end !== undefined && `end=${region.end}`,
    format && `data_format=${quote(format)}`,
    needsToken && 'bearer_token=token',
  ].filter((option) => typeof option === 'string');
  return [
    'import htsget',
    '',
    `with open(${quote(fileName(input))}, "wb") as output:`,
    `    htsget.get(${[quote(wholeUrl(input)), 'output', ...options].join(', ')})`,
  ].join('\n');
}

function r(input: CommandInput): string {
  const token = input.needsToken ? ' |>\n  req_auth_bearer_token(token)' : '';
  return [
    'library(httr2)',
    `ticket <- request(${quote(ticketUrl(input))})${token} |>`,
    '  req_perform() |> resp_body_json(check_type = FALSE)',
    'read_block <- function(block) {',
    '  if (startsWith(block$url, "data:")) return(jsonlite::base64_dec(sub(".*,", "", block$url)))',
    '  request(block$url) |> req_headers(!!!block$headers) |> req_perform() |> resp_body_raw()',
    '}',
    `writeBin(do.call(c, lapply(ticket$htsget$urls, read_block)), ${quote(fileName(input))})`,
  ].join('\n');
}

function igv(input: CommandInput): string {
  const { datatype, id, needsToken, region, fasta } = input;
  const track = {
    type: datatype === 'reads' ? 'alignment' : 'variant',
    sourceType: 'htsget',
    format: datatype === 'reads' ? 'bam' : 'vcf',
    url: wholeUrl(input),
    name: id,
    ...(needsToken && { oauthToken: 'TOKEN' }),
  };
  const reference =
    fasta === undefined ? { genome: 'hg38' } : { reference: { fastaURL: fasta, indexURL: `${fasta}.fai` } };
  const locus = region && { locus: formatRegion(region).replace(/^\{(.*)\}/, '$1') };
  return `igv.createBrowser(document.querySelector("#igv"), ${JSON.stringify({ ...reference, ...locus, tracks: [track] }, null, 2)});`;
}

function jbrowse({ base, id, fasta }: CommandInput): string {
  const sequence =
    fasta === undefined
      ? {}
      : { sequenceAdapter: { type: 'IndexedFastaAdapter', uri: fasta, faiLocation: { uri: `${fasta}.fai` } } };
  const track = {
    type: 'AlignmentsTrack',
    trackId: id,
    name: id,
    assemblyNames: ['ASSEMBLY'],
    adapter: { type: 'HtsgetBamAdapter', htsgetBase: `${base}reads`, htsgetTrackId: id, ...sequence },
  };
  return JSON.stringify(track, null, 2);
}
