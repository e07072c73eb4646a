import { createMd5 } from '@htskit/digest';
import { createSha256 } from '@htskit/digest/internal';
import { toHex } from '@htskit/io';
import { type DrsContext, type OpenedObject, openObject, refusalOf } from '../context.js';
import { DrsError } from '../drs-error.js';
import type { Checksum, ContentsObject, DrsBundle, DrsObject } from '../drs-object.js';
import { describeFile, identify, selfUri } from './describe-object.js';

export interface DescribeOptions {
  /** Whether bundles within a bundle list their contents. */
  readonly isExpanded: boolean;
  /** The passports of the request. */
  readonly passports: readonly string[];
}

/** Nested bundles. A bundle that contains itself has more. */
const MAX_DEPTH = 8;

/** Counts the objects of a bundle, those of nested bundles included. */
interface Walk extends DescribeOptions {
  readonly context: DrsContext;
  readonly depth: number;
  readonly count: { left: number };
}

/** Returns the description of an object, or undefined while its checksums are being computed. */
export function describeObject(
  opened: OpenedObject,
  options: DescribeOptions,
  context: DrsContext,
): Promise<DrsObject | undefined> {
  const count = { left: context.settings.limits.bundleObjects };
  return describe(opened, { ...options, context, depth: 0, count });
}

function describe({ object, grant }: OpenedObject, walk: Walk): Promise<DrsObject | undefined> {
  return object.kind === 'file'
    ? describeFile({ object, grant }, walk.context)
    : describeBundle({ object, grant }, walk);
}

/** Throws `DrsError` if the request may not see all of it: a list of objects must not name others. */
async function describeBundle(opened: OpenedObject<DrsBundle>, walk: Walk): Promise<DrsObject | undefined> {
  const { object: bundle } = opened;
  const refusal = refusalOf(opened);
  if (refusal !== undefined) throw refusal;
  if (walk.depth >= MAX_DEPTH) throw new DrsError('INTERNAL', `bundles are nested more than ${MAX_DEPTH} times`);
  const members: DrsObject[] = [];
  let isPending = false;
  for (const { id } of bundle.contents) {
    if (walk.count.left-- <= 0) throw new DrsError('INTERNAL', 'the bundle has too many objects');
    const member = await openObject(id, { ...walk.context, passports: walk.passports });
    const described = await describe(member, { ...walk, depth: walk.depth + 1 });
    // The others are computed meanwhile.
    if (described === undefined) isPending = true;
    else members.push(described);
  }
  if (isPending) return undefined;
  const { settings } = walk.context;
  const times = members.map((member) => member.updated_time).sort();
  return {
    ...identify(bundle, settings),
    size: members.reduce((sum, { size }) => sum + size, 0),
    created_time: times.at(0) ?? new Date(0).toISOString(),
    updated_time: times.at(-1) ?? new Date(0).toISOString(),
    version: undefined,
    mime_type: undefined,
    checksums: uniteChecksums(members.map(({ checksums }) => checksums)),
    access_methods: undefined,
    contents: bundle.contents.map(({ name, id }, index) => toContents(name, id, members[index], walk)),
    description: bundle.description,
  };
}

function toContents(name: string, id: string, member: DrsObject | undefined, walk: Walk): ContentsObject {
  const { isExpanded, context } = walk;
  const contents = isExpanded ? member?.contents : undefined;
  return { name, id, drs_uri: [selfUri(id, context.settings)], ...(contents !== undefined && { contents }) };
}

/** Returns the checksums of a bundle: those of the sorted checksums of its members, one after another (DRS 1.5, `checksums`). */
function uniteChecksums(members: readonly (readonly Checksum[])[]): readonly Checksum[] {
  const hashes = { 'sha-256': createSha256, md5: createMd5 } as const;
  return (['sha-256', 'md5'] as const).flatMap((type) => {
    const found = members.flatMap((checksums) => checksums.filter((each) => each.type === type).slice(0, 1));
    if (found.length < members.length) return [];
    const hash = hashes[type]();
    for (const { checksum } of found.sort((a, b) => (a.checksum < b.checksum ? -1 : 1))) {
      hash.update(new TextEncoder().encode(checksum));
    }
    return [{ type, checksum: toHex(hash.digest()) }];
  });
}
