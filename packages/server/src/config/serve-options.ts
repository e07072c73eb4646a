import { dirname, join, resolve } from 'node:path';
import {
  type MappedLocation,
  type ObjectLocation,
  parseLocation,
  type SequenceLocation,
  type StorageLocation,
} from '@htskit/catalogue/internal';
import { DEFAULT_LIMITS } from '@htskit/htsget';
import { type Authority, DEFAULT_AUTHORITY } from '@htskit/protocol';
import { type S3CredentialsProvider, toBucketUrl } from '@htskit/storage/s3';
import { credentialsFromEnvironment } from '@htskit/storage/s3/environment';
import { credentialsFromProviderChain } from '@htskit/storage/s3/provider-chain';
import { type Authorization, createAuthorization } from '../auth/auth-section.js';
import { PACKAGE_VERSION } from '../package-version.js';
import type { AuditSettings } from '../runtime/audit/audit-log.js';
import { Decisions } from '../runtime/audit/decisions.js';
import type { FurtherReferences } from '../runtime/references/reference-source.js';
import type { ServeOptions } from '../runtime/serve.js';
import { toStoreLimits } from '../runtime/store-limits.js';
import type { Environment } from './config-document.js';
import { toMappedLocation } from './mapped-locations.js';
import type { Config, S3Section } from './schema.js';
import { openDecrypt } from './sections/crypt4gh.js';
import { toDrsSettings } from './sections/drs.js';
import { COVERAGE_FOLDER_BYTES, toCoverageLimits } from './sections/limits.js';
import type { ObjectSection } from './sections/locations.js';
import type { AuditSection } from './sections/operation.js';
import type { SequenceSection } from './sections/protocols.js';

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8080;

/** The maximum size of the head of a request that may have a passport: one of some fifty visas. */
const PASSPORT_HEADER_BYTES = 65_536;

/** The options of the command line, which take precedence over the configuration. */
export interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly publicUrl?: string;
  readonly authority?: Authority;
  /** Paths to serve in place of the locations and sources of the configuration. */
  readonly paths: readonly string[];
}

export interface ServeOptionsInput {
  readonly config: Config;
  /** The configuration file. Paths in it are relative to its folder. */
  readonly file: string;
  readonly flags: ServeFlags;
  readonly environment: Environment;
}

/** The options of `serve` without the loggers. */
export type ConfiguredOptions = Omit<ServeOptions, 'log' | 'startProgress' | 'logger'>;

/** Converts a configuration and the options of the command line to those of a server. Throws the same errors as
 * `createAuthorization`, `credentialsFromProviderChain` and `openDecrypt`. */
export async function toServeOptions({
  config,
  file,
  flags,
  environment,
}: ServeOptionsInput): Promise<ConfiguredOptions> {
  const folder = dirname(resolve(file));
  const { listen = {}, limits = {}, cors = {} }: Config = config;
  const { locations, maxBlockBytes, publicBlockSeconds, conversions, programLine, extensions, ...settings } =
    config.htsget ?? {};
  const { announceRestrictions, ...htsget } = settings;
  const { sources, characters, cache, subsequenceLimit, seqrepo, ...refget } = config.refget ?? {};
  const decisions = config.audit === undefined ? undefined : new Decisions();
  const { access, signingKeys } = await authorize(config, folder, decisions);
  const hasPaths = flags.paths.length > 0;
  const { host, port, publicUrl, authority } = flags;
  const objectLocations = hasPaths ? [] : toObjectLocations(locations, folder);
  return {
    signingKeys,
    paths: flags.paths,
    objectLocations,
    mappedLocations: hasPaths ? [] : toMappedLocations(locations, folder),
    sequenceLocations: hasPaths ? [] : toSequenceLocations(sources, folder),
    host: host ?? listen.host ?? DEFAULT_HOST,
    port: port ?? listen.port ?? DEFAULT_PORT,
    publicUrl: publicUrl ?? config.publicUrl,
    authority: authority ?? config.authority ?? DEFAULT_AUTHORITY,
    tls: listen.tls && { cert: resolve(folder, listen.tls.cert), key: resolve(folder, listen.tls.key) },
    trustedProxies: listen.trustedProxies,
    s3: { ...config.s3, credentials: await toCredentials(config.s3, environment) },
    blocking: config.files?.blocking,
    decrypt: await openDecrypt(config.crypt4gh, folder),
    stores: toStoreLimits(config.stores, limits.concurrency),
    htsget: {
      ...htsget,
      authorize: access?.htsget,
      publicBlocks: toPublicBlocks(publicBlockSeconds, access),
      conversions: conversions !== 'off',
      extensions: extensions !== 'off',
      announcesRestrictions: announceRestrictions === 'on',
      plainDelivery: config.crypt4gh?.plainDelivery === 'on',
      program: programLine === 'on' ? { name: 'htskit', version: PACKAGE_VERSION } : undefined,
      limits: { ...toHtsgetLimits(limits), blockBytes: maxBlockBytes },
    },
    refget: {
      ...refget,
      authorize: access?.refget,
      limits: { subsequence: subsequenceLimit, collectionBodyBytes: limits.collectionBodyBytes },
    },
    reference: config.reference && {
      ...toReference(config.reference, folder),
      redirectHosts: config.stores?.redirectHosts,
    },
    blockCacheBytes: limits.blockCacheBytes,
    statSeconds: limits.statSeconds,
    workerThreads: limits.workerThreads,
    characters,
    cache: cache === undefined ? undefined : resolve(folder, cache),
    serviceInfo: config.service,
    origins: cors.origins,
    page: config.page !== 'off',
    seqrepo: seqrepo !== 'off',
    drs: toDrsSettings({ drs: config.drs, cache, auth: config.auth, bulkObjects: limits.bulkObjects }, folder),
    coverage: config.coverage,
    coverageFolder: toCoverageFolder(config, folder),
    sharedCache: toSharedCache(config, folder),
    coverageLimits: toCoverageLimits(limits),
    storeOrigins: storeOrigins(objectLocations, config.s3),
    serverLimits: { ...(config.auth?.passports && { requestHeaderBytes: PASSPORT_HEADER_BYTES }), ...limits },
    audit: config.audit === undefined ? undefined : toAudit(config.audit, folder),
    decisions,
    metrics: config.metrics,
    tracing: config.tracing,
  };
}

function toPublicBlocks(
  seconds: number | undefined,
  access: Authorization['access'],
): NonNullable<ConfiguredOptions['htsget']>['publicBlocks'] {
  return seconds === undefined ? undefined : { seconds, ...(access && { isPublic: access.isPublic }) };
}

function toAudit(section: AuditSection, folder: string): AuditSettings {
  const { file, ...settings } = typeof section === 'string' ? { file: section } : section;
  return { ...settings, file: file === undefined || file === 'stdout' ? file : resolve(folder, file) };
}

async function authorize(
  { auth }: Config,
  directory: string,
  decisions: Decisions | undefined,
): Promise<Partial<Authorization>> {
  if (auth === undefined) return {};
  return createAuthorization(auth, { directory, namesSubject: decisions !== undefined, onDecision: decisions?.notify });
}

function toCoverageFolder(config: Config, folder: string): ConfiguredOptions['coverageFolder'] {
  const { coverageFolder, limits = {} } = config;
  const shared = toSharedCache(config, folder);
  const inShared = shared?.kind === 'path' ? join(shared.path, 'coverage') : undefined;
  const path = coverageFolder === undefined ? inShared : resolve(folder, coverageFolder);
  return path === undefined ? undefined : { path, maxBytes: limits.coverageFolderBytes ?? COVERAGE_FOLDER_BYTES };
}

/** Throws RangeError for a URL, which cannot be written to, and without the keys that tell what replicas wrote from the rest. */
function toSharedCache({ sharedCache, auth }: Config, folder: string): ConfiguredOptions['sharedCache'] {
  if (sharedCache === undefined) return undefined;
  if (auth?.signingKeys === undefined) {
    throw new RangeError('sharedCache requires auth.signingKeys: replicas recognize by them what others of them wrote');
  }
  return checkNoUrl(parseLocation(sharedCache, folder), 'sharedCache');
}

/** Picks the limits of htsget. The section also has those of the server and of storage. */
function toHtsgetLimits(limits: NonNullable<Config['limits']>): NonNullable<ServeOptions['htsget']>['limits'] {
  return Object.fromEntries(Object.entries(limits).filter(([name]) => name in DEFAULT_LIMITS));
}

/** Returns undefined if requests to buckets are not signed. Throws Error if the package of the chain is not installed. */
async function toCredentials(
  { credentials }: S3Section = {},
  { AWS_ACCESS_KEY_ID: id = '' }: Environment,
): Promise<S3CredentialsProvider | undefined> {
  const source = credentials ?? (id === '' ? 'none' : 'environment');
  if (source === 'chain') return credentialsFromProviderChain();
  return source === 'environment' ? credentialsFromEnvironment : undefined;
}

function toObjectLocations(sections: readonly ObjectSection[] = [], folder: string): ObjectLocation[] {
  const plain = sections.filter((section) => toMappedLocation(section, folder) === undefined);
  return plain.map(({ location = '', index, ...section }) => ({
    ...section,
    location: parseLocation(location, folder),
    index: index === undefined ? undefined : parseLocation(index, folder),
  }));
}

function toMappedLocations(sections: readonly ObjectSection[] = [], folder: string): MappedLocation[] {
  return sections.map((section) => toMappedLocation(section, folder)).filter((each) => each !== undefined);
}

function toSequenceLocations(sections: readonly SequenceSection[] = [], folder: string): SequenceLocation[] {
  return sections.map(({ location, aliases, ...section }) => ({
    ...section,
    location: checkNoUrl(parseLocation(location, folder)),
    aliases: aliases === undefined ? undefined : resolve(folder, aliases),
  }));
}

function checkNoUrl(location: StorageLocation, what = 'a source of sequences'): SequenceLocation['location'] {
  if (location.kind !== 'http') return location;
  throw new RangeError(`${what} cannot be a URL; use a path or s3://BUCKET/PREFIX`);
}

function toReference({ refget, cache, ur }: NonNullable<Config['reference']>, folder: string): FurtherReferences {
  const folders = ur?.map((path) => resolve(folder, path));
  return { refget, cache: cache === undefined ? undefined : resolve(folder, cache), folders };
}

/** Returns the origins that send blocks themselves: those of the buckets whose URLs are presigned. */
function storeOrigins(locations: readonly ObjectLocation[], s3: S3Section = {}): string[] {
  const origins = locations.flatMap(({ delivery, location }) =>
    delivery === 'presigned' && location.kind === 's3' ? [toBucketUrl({ ...s3, bucket: location.bucket }).origin] : [],
  );
  return [...new Set(origins)];
}
