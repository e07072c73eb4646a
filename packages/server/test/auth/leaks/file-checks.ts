import { expect } from 'vitest';
import type { Asker } from './asker.js';
import type { Pick, View } from './random-access.js';
import { OBJECTS } from './secret-files.js';
import { PUBLIC_URL, type SecretServer } from './secret-server.js';

const API = '/ga4gh/drs/v1';

/** Returns the status of a refusal of the whole file, and of its description. */
function refusalsOf(
  object: number,
  view: View,
): { readonly file: number | undefined; readonly described: number | undefined } {
  const stored = OBJECTS[object]?.datatype === 'reads' ? 'BAM' : 'VCF';
  const described = view.refusal ?? (view.formats?.includes(stored) === false ? 403 : undefined);
  const isWhole = view.hasAllCells && view.hasAllSamples;
  return { described, file: described ?? (isWhole ? undefined : 403) };
}

/** Returns the names of the data and of the index of an object. */
function filesOf(object: number): string[] {
  const { file = '', indexType = 'bai' } = OBJECTS[object] ?? {};
  return [file, `${file}.${indexType}`];
}

interface FileContext {
  readonly server: SecretServer;
  /** The entity tags of the files. */
  readonly tags: ReadonlyMap<string, string>;
  readonly pick: Pick;
}

/** Reads the entity tags of all files, as a requester who may see everything. */
export async function readTags(asker: Asker): Promise<ReadonlyMap<string, string>> {
  const tags = new Map<string, string>();
  for (const name of [...OBJECTS.keys()].flatMap(filesOf)) {
    const { headers } = await asker.ask(`/files/${name}`);
    tags.set(name, headers.get('etag') ?? '');
  }
  return tags;
}

/** Requests the bytes of a file, and whether they are those of a known tag. */
export async function checkFile(asker: Asker, object: number, { server, tags, pick }: FileContext): Promise<void> {
  const view = asker.views[object];
  const name = pick(filesOf(object));
  if (view === undefined) return;
  const tag = tags.get(name) ?? '';
  const [headers, permitted] = pick([
    [{}, 200],
    [{ range: 'bytes=2-5' }, 206],
    [{ range: 'bytes=9999999-' }, 416],
    [{ 'if-none-match': tag }, 304],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-range': tag, range: 'bytes=2-5' }, 206],
  ] as readonly (readonly [Record<string, string>, number])[]);
  const method = pick(['GET', 'HEAD']);
  const path = `/files/${name}`;
  const answer = await asker.ask(path, { method, headers }, object);
  const refusal = refusalsOf(object, view).file;
  expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(refusal ?? permitted);
  const described = ['etag', 'last-modified', 'content-range', 'accept-ranges'].map((header) =>
    answer.headers.get(header),
  );
  if (refusal !== undefined) expect(described, path).toEqual([null, null, null, null]);
  else if (answer.status === 200 && method === 'GET') expect(answer.bytes.equals(server.read(name)), path).toBe(true);
}

interface Description {
  readonly size: number;
  readonly checksums: readonly { readonly type: string }[];
  readonly access_methods?: readonly { readonly type: string; readonly access_id?: string }[];
}

/** Requests the description of a file, and a URL of its bytes. */
export async function checkDescription(asker: Asker, object: number, { server, pick }: FileContext): Promise<void> {
  const view = asker.views[object];
  const name = pick(filesOf(object));
  if (view === undefined) return;
  const refusals = refusalsOf(object, view);
  const path = `${API}/objects/${encodeURIComponent(name)}`;
  const answer = await asker.ask(path, {}, object);
  // An index that may not be seen has no means of access, and so no description.
  const refusal = name.endsWith('i') ? refusals.file : refusals.described;
  expect(answer.status, path).toBe(refusal ?? 200);
  if (answer.status === 200) {
    const { size, checksums, access_methods: methods = [] } = JSON.parse(answer.text) as Description;
    // What may be seen in part is described as a whole.
    expect([size, checksums.length], path).toEqual([server.read(name).length, 2]);
    expect(
      methods.some(({ type }) => type === 'https'),
      path,
    ).toBe(refusals.file === undefined);
    if (refusals.file !== undefined) expect(answer.text).not.toContain(`${PUBLIC_URL}/files/`);
  }
  const access = await asker.ask(`${path}/access/https`, {}, object);
  expect(access.status, `${path}/access/https`).toBe(refusals.file ?? 200);
  if (access.status !== 200) return;
  const { bytes } = await asker.fetchUrl((JSON.parse(access.text) as { url: string }).url);
  expect(bytes.equals(server.read(name)), path).toBe(true);
}

/** Requests what else there is of one object: its bundle, how it is authorized, and names that lead out of it. */
export async function checkOthers(asker: Asker, object: number, pick: Pick): Promise<void> {
  const { datatype = '', id = '', file = '' } = OBJECTS[object] ?? {};
  const bundle = encodeURIComponent(`${datatype}/${id}`);
  const { status } = await asker.ask(`${API}/objects/${bundle}?expand=true`, {}, object);
  const view = asker.views[object];
  // A bundle needs a permission for all of it.
  const isWhole = view?.hasAllCells === true && view.hasAllSamples && view.formats === undefined;
  expect(status, bundle).toBe(view?.refusal ?? (isWhole ? 200 : 403));
  const encoded = encodeURIComponent(file);
  await asker.ask(`${API}/objects/${encoded}`, { method: 'OPTIONS' }, object);
  const paths = [`/files/${id}.bw`, `/files/${id}`, `/files/d1/../${file}`, `/fasta/objects/${encoded}/index`];
  await asker.ask(pick(paths), {}, object);
}

/** Requests all objects at once: each is answered as if it were requested alone. */
export async function checkBulk(asker: Asker): Promise<void> {
  const names = OBJECTS.map(({ file }) => file);
  const refusals = asker.views.map((view, object) => refusalsOf(object, view));
  const send = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, text } = await asker.ask(path, { method: 'POST', body: JSON.stringify(body) });
    expect(status, text).toBe(200);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  const described = await send(`${API}/objects`, { bulk_object_ids: [...names, 'd1/none.bam'] });
  const found = (described['resolved_drs_object'] as { id: string }[]).map(({ id }) => id);
  expect(found.sort()).toEqual(names.filter((_, object) => refusals[object]?.described === undefined).sort());
  const wanted = names.map((name) => ({ bulk_object_id: name, bulk_access_ids: ['https'] }));
  const accesses = await send(`${API}/objects/access`, { bulk_object_access_ids: wanted });
  const urls = accesses['resolved_drs_object_access_urls'] as { drs_object_id: string }[];
  const permitted = names.filter((_, object) => refusals[object]?.file === undefined);
  expect(urls.map(({ drs_object_id: id }) => id).sort()).toEqual(permitted.sort());
}
