import { encodePercents } from '@htskit/io/internal';
import type { HtsgetFormat, HtsgetRegion } from '@htskit/protocol';
import { formatRegion } from '../src/stored-file/parse-region.js';
import type { RecordFilter } from './route.js';

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
  /** Which records are read. Default: all. */
  readonly filter?: RecordFilter;
  /** Whether requests need a bearer token. */
  readonly needsToken: boolean;
  /** The FASTA file of the reference on this server, without its index. */
  readonly fasta?: string;
}

/** A command or a piece of code for a client. */
export interface ClientCommand {
  readonly client: string;
  readonly text: string;
  /** What the client needs, or what the text is. */
  readonly note: string;
}

/** Returns an id as the path of a URL. */
const toPath = (id: string): string => id.split('/').map(encodeURIComponent).join('/');

/** Returns the URL of the ticket for the region. */
export function ticketUrl({ base, datatype, id, region, format, filter }: CommandInput): string {
  const parameters = Object.entries({ format, ...region, ...filter }).filter(([, value]) => value !== undefined);
  const pairs = parameters.map(([name, value]) => `${name}=${encodePercents(String(value))}`);
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return `${base}${datatype}/${toPath(id)}${query}`;
}

/** Returns the ways to read the region with common clients, the shortest first. */
export function commandsFor(input: CommandInput): readonly ClientCommand[] {
  const { datatype, format, needsToken } = input;
  const noted = (note: string): string => (needsToken ? `${note}; token.txt holds the token alone` : note);
  return [
    { client: datatype === 'reads' ? 'samtools' : 'bcftools', text: htslib(input), note: noted('prints text') },
    { client: 'htskit', text: htskit(input), note: noted('the command of @htskit/server') },
    { client: 'curl', text: curl(input), note: noted('needs jq; fetches the ticket and joins its blocks') },
    { client: 'Python', text: python(input), note: noted('pip install htsget') },
    { client: 'R', text: r(input), note: noted('install.packages(c("httr2", "jsonlite"))') },
    // The browsers read BAM and VCF alone, which is what a ticket without a format is.
    ...(format === undefined ? [{ client: 'igv.js', text: igv(input), note: igvNote(input) }] : []),
    // JBrowse sends no token to an htsget service.
    ...(format === undefined && datatype === 'reads' && !needsToken
      ? [{ client: 'JBrowse', text: jbrowse(input), note: jbrowseNote(input) }]
      : []),
  ];
}

/** Returns the command that prints some bases of a sequence. `start` and `end` are 0-based, half-open. */
export function sequenceCommand(
  { base, needsToken }: Pick<CommandInput, 'base' | 'needsToken'>,
  { id, start, end }: { readonly id: string; readonly start: number; readonly end: number },
): string {
  const url = `${base}sequence/${encodeURIComponent(id)}?start=${start}&end=${end}`;
  return `curl -sSf${needsToken ? CURL_TOKEN : ''} ${shellQuote(url)}`;
}

/** Quotes a text for a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a text for Python and R. */
const quote = (text: string): string => JSON.stringify(text);

const wholeUrl = (input: CommandInput): string => ticketUrl({ ...input, region: undefined, format: undefined });

/** The extensions of files by their formats. */
export const FORMAT_EXTENSIONS: Readonly<Record<HtsgetFormat, string>> = {
  BAM: 'bam',
  CRAM: 'cram',
  SAM: 'sam',
  VCF: 'vcf.gz',
  BCF: 'bcf',
  VCFTEXT: 'vcf',
};

const fileName = ({ id, datatype, format = datatype === 'reads' ? 'BAM' : 'VCF' }: CommandInput): string =>
  `${id.slice(id.lastIndexOf('/') + 1)}.${FORMAT_EXTENSIONS[format]}`;

/** The option of curl for a token in a file. */
const CURL_TOKEN = ' -H "Authorization: Bearer $(cat token.txt)"';

function htslib(input: CommandInput): string {
  const program = input.datatype === 'reads' ? 'samtools view -h' : 'bcftools view';
  const text = `${program} ${shellQuote(ticketUrl(input))}`;
  if (!input.needsToken) return text;
  // Without TLS, htslib sends a token only if told to.
  const isPlain = input.base.startsWith('http:');
  const consent = isPlain ? "export HTS_ALLOW_UNENCRYPTED_AUTHORIZATION_HEADER='I understand the risks'\n" : '';
  return `export HTS_AUTH_LOCATION=token.txt\n${consent}${text}`;
}

function htskit(input: CommandInput): string {
  const region = input.region === undefined ? '' : ` ${shellQuote(formatRegion(input.region))}`;
  const token = input.needsToken ? ' --token-file token.txt' : '';
  const format = input.format === undefined ? '' : ` --format ${input.format}`;
  return `htskit get ${shellQuote(wholeUrl(input))}${region}${format}${token} -o ${shellQuote(fileName(input))}`;
}

function curl(input: CommandInput): string {
  const token = input.needsToken ? CURL_TOKEN : '';
  return [
    `curl -sSf${token} ${shellQuote(ticketUrl(input))} | jq -r '.htsget.urls[] |`,
    '  if .url | startswith("data:") then "echo \\(.url | sub(".*,"; "") | @sh) | base64 -d"',
    '  else "curl -sSf \\(.url | @sh) \\([.headers // {} | to_entries[] | "-H " + ("\\(.key): \\(.value)" | @sh)] | join(" "))"',
    `  end' | sh -e > ${shellQuote(fileName(input))}`,
  ].join('\n');
}

function python(input: CommandInput): string {
  const { region, format, needsToken } = input;
  const options = [
    region && `reference_name=${quote(region.referenceName)}`,
    region?.start !== undefined && `start=${region.start}`,
    region?.end !== undefined && `end=${region.end}`,
    format && `data_format=${quote(format)}`,
    needsToken && 'bearer_token=open("token.txt").read().strip()',
  ].filter((option) => typeof option === 'string');
  return [
    'import htsget',
    '',
    `with open(${quote(fileName(input))}, "wb") as output:`,
    `    htsget.get(${[quote(wholeUrl(input)), 'output', ...options].join(', ')})`,
  ].join('\n');
}

function r(input: CommandInput): string {
  const token = input.needsToken ? ' |>\n  req_auth_bearer_token(readLines("token.txt"))' : '';
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
  const locus = region && region.referenceName !== '*' && { locus: formatRegion(region).replace(/^\{(.*)\}/, '$1') };
  return `igv.createBrowser(document.querySelector("#igv"), ${JSON.stringify({ ...reference, ...locus, tracks: [track] }, null, 2)});`;
}

function igvNote({ needsToken, fasta }: CommandInput): string {
  const steps = [
    'in a page with an element whose id is igv',
    fasta === undefined && 'replace hg38 by the genome of the object',
    needsToken && 'replace TOKEN by the token',
  ];
  return steps.filter((step) => typeof step === 'string').join('; ');
}

/** Returns a configuration of JBrowse: the track, with the genome as its assembly if this server has it. */
function jbrowse({ base, id, fasta }: CommandInput): string {
  const assembly = fasta === undefined ? 'ASSEMBLY' : 'reference';
  const track = {
    type: 'AlignmentsTrack',
    trackId: id,
    name: id,
    assemblyNames: [assembly],
    // JBrowse does not escape the id.
    adapter: { type: 'HtsgetBamAdapter', htsgetBase: `${base}reads`, htsgetTrackId: toPath(id) },
  };
  if (fasta === undefined) return JSON.stringify(track, null, 2);
  const adapter = {
    type: 'IndexedFastaAdapter',
    fastaLocation: { uri: fasta, locationType: 'UriLocation' },
    faiLocation: { uri: `${fasta}.fai`, locationType: 'UriLocation' },
  };
  const sequence = { type: 'ReferenceSequenceTrack', trackId: `${assembly}-sequence`, adapter };
  return JSON.stringify({ assemblies: [{ name: assembly, sequence }], tracks: [track] }, null, 2);
}

const jbrowseNote = ({ fasta }: CommandInput): string =>
  fasta === undefined
    ? 'a track of JBrowse 2; replace ASSEMBLY by the name of its assembly'
    : 'config.json of JBrowse 2';
