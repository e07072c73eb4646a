import { readFile } from 'node:fs/promises';
import type { ConformOptions, ConformReport } from '@htskit/conform';
import type { Command } from 'commander';
import { ofFile, UsageError } from '../../errors.js';
import { checkOutput, writeOutput } from '../../files/write-output.js';
import { PACKAGE_VERSION } from '../../package-version.js';
import { parseServiceUrl } from '../../service-url.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { addValue, withInterrupt } from '../command-line.js';
import { requestHeaders } from '../url-request.js';

interface ConformFlags {
  readonly reads: readonly string[];
  readonly variants: readonly string[];
  readonly sequence: readonly string[];
  readonly collection: readonly string[];
  readonly drs: readonly string[];
  readonly truth?: string;
  readonly only: readonly string[];
  readonly tokenFile?: string;
  readonly json?: string;
  readonly junit?: string;
}

const NOTES = `
Prints a line for each rule and object: pass, FAIL, warn or n/a, the rule and the
section of the specification. Below a failure are the request as a curl command, and
what was expected and found. FAIL is a MUST; warn is a SHOULD, or a point that the
specification leaves open, with both readings. samtools and bcftools read the
answers, too, if they are installed.

htsget lists no objects, so name some. For an htskit service, the default is the first
that it lists; for a service of sequence collections, the first of its list and of
their sequences. The requests are few and small: one at a time, at most 20 in a
second to another machine, and 256 MiB in all.

Examples:
  htskit conform http://127.0.0.1:8080
  htskit conform https://data.example.org --reads NA12878 --variants 1000g/chr22
  htskit conform http://127.0.0.1:5000 --sequence 6aef897c3d6ff0c78aff06ac189178dd
  htskit conform http://127.0.0.1:8080 --reads a --truth a.bam --junit report.xml

Exit codes: 0 (every MUST is kept), 1 (failed), 2 (usage).`;

/** Adds `htskit conform`. */
export function addConformCommand(program: Command): void {
  const command = program
    .command('conform')
    .description('check any htsget or refget service against the specifications, rule by rule')
    .argument('<URL>', 'the part of the URLs of a service before /reads, /variants or /sequence')
    .option('--reads <id>', 'check these alignments; repeatable', addValue, [])
    .option('--variants <id>', 'check these variants; repeatable', addValue, [])
    .option('--sequence <digest>', 'check this sequence; repeatable', addValue, [])
    .option('--collection <digest>', 'check this sequence collection; repeatable', addValue, [])
    .option('--drs <id>', 'check this DRS object; repeatable', addValue, [])
    .option('--truth <file>', 'the file that the service should answer (default: what it answers without a region)')
    .option(
      '--only <rule>',
      'run only this rule, or those whose ids begin with it, as in htsget.post; repeatable',
      addValue,
      [],
    )
    .option('--token-file <file>', 'file with a bearer token (default: HTSKIT_TOKEN)')
    .option('--json <file>', 'write a report by the GA4GH testbed report schema')
    .option('--junit <file>', 'write a report as JUnit XML')
    .addHelpText('after', NOTES);
  command.action(async (url: string, flags: ConformFlags) => {
    try {
      await withInterrupt((signal) => checkService(url, flags, signal));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

async function checkService(url: string, flags: ConformFlags, signal: AbortSignal): Promise<void> {
  const { formatResult, formatSummary, isConforming } = await import('@htskit/conform');
  const { json, junit } = flags;
  for (const path of [json, junit]) if (path !== undefined) await checkOutput(path, []);
  const report = await runRules(url, {
    ...(await toOptions(flags)),
    signal,
    onResult: (result) => writeLines(formatResult(result)),
  });
  writeLines(formatSummary(report));
  await writeReports(report, flags, signal);
  if (!isConforming(report)) process.exitCode = 1;
}

async function runRules(url: string, options: ConformOptions): Promise<ConformReport> {
  const { ConformError, conform } = await import('@htskit/conform');
  try {
    return await conform(parseServiceUrl(url).href, options);
  } catch (error) {
    if (!(error instanceof ConformError)) throw error;
    if (error.code === 'MISSING_IDS') {
      throw new UsageError(`${error.message} by --reads, --variants, --sequence or --collection`);
    }
    throw error.code === 'INVALID_TARGET' ? new UsageError(error.message) : error;
  }
}

async function toOptions({
  reads,
  variants,
  sequence,
  collection,
  drs,
  truth,
  only,
  tokenFile,
}: ConformFlags): Promise<ConformOptions> {
  const access = { lines: [], credentials: {}, environment: process.env };
  const headers = await requestHeaders({ ...access, ...(tokenFile !== undefined && { tokenFile }) });
  const token = headers['authorization']?.replace(/^Bearer /, '');
  const { createHtslibJudge } = await import('./htslib-judge.js');
  const judge = await createHtslibJudge();
  return {
    ...(reads.length > 0 && { reads }),
    ...(variants.length > 0 && { variants }),
    ...(sequence.length > 0 && { sequences: sequence }),
    ...(collection.length > 0 && { collections: collection }),
    ...(drs.length > 0 && { drsObjects: drs }),
    ...(only.length > 0 && { only }),
    ...(truth !== undefined && { truth: await readTruth(truth) }),
    ...(token !== undefined && { token }),
    ...(judge && { judge }),
  };
}

async function readTruth(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw ofFile(path, error);
  }
}

async function writeReports(report: ConformReport, { json, junit }: ConformFlags, signal: AbortSignal): Promise<void> {
  const { toJunitReport, toTestbedReport } = await import('@htskit/conform');
  const write = (path: string, text: string): Promise<unknown> => writeOutput(path, encode(text), { signal });
  if (json !== undefined) {
    const document = toTestbedReport(report, { version: PACKAGE_VERSION });
    await write(json, `${JSON.stringify(document, null, 2)}\n`);
  }
  if (junit !== undefined) await write(junit, toJunitReport(report));
}

async function* encode(text: string): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(text);
}

function writeLines(text: string): void {
  process.stdout.write(`${text.split('\n').map(escapeControls).join('\n')}\n`);
}
