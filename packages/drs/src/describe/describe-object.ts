import { sha512t24u } from '@htskit/digest';
import type { SourceStat } from '@htskit/io';
import { versionOf } from '../checksums/checksums.js';
import type { DrsContext, OpenedObject } from '../context.js';
import type { DrsFile, DrsObject } from '../drs-object.js';
import type { DrsSettings } from '../options.js';
import { listAccessMethods } from './access-methods.js';

/** The media type of a file whose type is not known. */
export const DEFAULT_MEDIA_TYPE = 'application/octet-stream';

/** Returns the description of a file, or undefined while its checksums are being computed. */
export async function describeFile(opened: OpenedObject<DrsFile>, context: DrsContext): Promise<DrsObject | undefined> {
  const { object: file } = opened;
  const { settings, request } = context;
  const accessMethods = await listAccessMethods(opened, context);
  const stat = await file.data.stat({ signal: request.signal });
  const checksums = file.checksums ?? (await settings.checksums.find(file, stat, request.signal));
  if (checksums === undefined) return undefined;
  const time = toTimestamp(stat.modifiedAt);
  return {
    ...identify(file, settings),
    size: stat.size,
    created_time: time,
    updated_time: time,
    version: toPublicVersion(file, stat),
    mime_type: file.mediaType ?? DEFAULT_MEDIA_TYPE,
    checksums,
    access_methods: accessMethods,
    contents: undefined,
    description:
      file.refusal === undefined ? file.description : [file.description, file.refusal].filter(Boolean).join('; '),
  };
}

/** Returns the members by which an object is found. */
export function identify(
  { id, name = id.slice(id.lastIndexOf('/') + 1), aliases = [] }: Pick<DrsFile, 'id' | 'name' | 'aliases'>,
  settings: Pick<DrsSettings, 'hostname' | 'compactPrefix'>,
): Pick<DrsObject, 'id' | 'name' | 'self_uri' | 'aliases'> {
  const { compactPrefix } = settings;
  const all = compactPrefix === undefined ? aliases : [...aliases, `drs://${compactPrefix}:${encodeId(id)}`];
  return {
    id,
    name: portableName(name),
    self_uri: selfUri(id, settings),
    aliases: all.length === 0 ? undefined : all,
  };
}

/** Returns the hostname-based URI of an object (DRS 1.5, "Hostname-based DRS URIs"). */
export function selfUri(id: string, { hostname }: Pick<DrsSettings, 'hostname'>): string {
  return `drs://${hostname}/${encodeId(id)}`;
}

/** Percent-encodes everything but the characters of a DRS id: letters, digits, `-`, `.`, `_` and `~`. */
function encodeId(id: string): string {
  return encodeURIComponent(id).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns a name of the characters that POSIX calls portable. */
function portableName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '_');
}

/** Returns the time of the last change, or the beginning of 1970 if the store reports none: DRS requires a time. */
function toTimestamp(modifiedAt = 0): string {
  return new Date(modifiedAt).toISOString();
}

/** Returns the version of a file, which is also its entity tag. Nothing about the file can be learned from it. */
export function toPublicVersion({ id }: Pick<DrsFile, 'id'>, stat: SourceStat): string | undefined {
  const version = versionOf(stat);
  return version === undefined ? undefined : sha512t24u(new TextEncoder().encode(`${id}\n${version}`));
}
