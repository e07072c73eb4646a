import { versionOf } from '../checksums/checksums.js';
import { type DrsContext, isPublic, type OpenedObject, refusalOf } from '../context.js';
import { DrsError } from '../drs-error.js';
import type { AccessMethod, AccessUrl, Authorizations, DrsFile } from '../drs-object.js';
import { filePath } from '../path.js';

/** The access id of the bytes of an object. */
const BYTES = 'https';

/**
 * Returns the ways in which a request may read a file. Throws `DrsError` FORBIDDEN if there is none. The URL of the bytes has to be
 * requested (`access_id`) if it is signed: by the store, or by this service for objects that not everybody may see.
 */
export async function listAccessMethods(
  opened: OpenedObject<DrsFile>,
  context: DrsContext,
): Promise<readonly AccessMethod[]> {
  const { object: file } = opened;
  const isOpen = file.forwarded === undefined && (await isPublic(file.id, context));
  const shared = isOpen ? {} : { authorizations: context.settings.authorizations };
  const methods: AccessMethod[] = [];
  const refusal = refusalOf(opened);
  if (refusal === undefined) {
    const url = file.url ?? (isOpen && file.locate === undefined ? plainUrl(file, context) : undefined);
    methods.push({ type: 'https', ...(url !== undefined && { access_url: { url } }), access_id: BYTES, ...shared });
  }
  if (file.htsgetUrl !== undefined) methods.push({ type: 'htsget', access_url: { url: file.htsgetUrl }, ...shared });
  if (methods.length === 0 && refusal !== undefined) throw refusal;
  return methods;
}

/** Returns the URL of the bytes of an object. Throws `DrsError` NOT_FOUND for an unknown access id, and FORBIDDEN. */
export async function createAccessUrl(accessId: string, opened: OpenedObject, context: DrsContext): Promise<AccessUrl> {
  const { object: file, grant } = opened;
  if (file.kind === 'bundle' || accessId !== BYTES) {
    throw new DrsError('NOT_FOUND', 'the object has no such access id');
  }
  const refusal = refusalOf(opened);
  if (refusal !== undefined) throw refusal;
  if (file.url !== undefined) return { url: file.url };
  const { signal } = context.request;
  const stat = await file.data.stat({ signal });
  if (file.locate !== undefined) {
    const { url, headers = {} } = await file.locate({ start: 0, end: stat.size }, { signal, version: stat.version });
    return { url, ...withHeaders(headers) };
  }
  // A signature does not replace the token of the user.
  if (file.forwarded !== undefined) return { url: plainUrl(file, context), ...withHeaders(file.forwarded) };
  if (await isPublic(file.id, context)) return { url: plainUrl(file, context) };
  const { settings, signer } = context;
  const expires = settings.now() + settings.limits.urlSeconds * 1000;
  const token = await signer.sign({ id: file.id, version: versionOf(stat), expires, subject: grant.subject });
  return { url: `${plainUrl(file, context)}?token=${token}` };
}

function withHeaders(headers: Readonly<Record<string, string>>): Pick<AccessUrl, 'headers'> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lines.length === 0 ? {} : { headers: lines };
}

function plainUrl({ id }: DrsFile, { settings: { publicUrl } }: DrsContext): string {
  return publicUrl + filePath(id);
}

/** Returns how requests for an object are authorized. Whether the object exists is not looked up. */
export async function findAuthorizations(id: string, context: DrsContext): Promise<Authorizations | undefined> {
  return (await isPublic(id, context)) ? undefined : { drs_object_id: id, ...context.settings.authorizations };
}
