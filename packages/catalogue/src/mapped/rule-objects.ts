import type { Datatype } from '@htskit/protocol';
import { type LookedUpObjectsOptions, lookedUpObjects } from '../objects/looked-up-objects.js';
import { type ObjectCatalogue, objectKindOf } from '../objects/object-catalogue.js';
import type { IdRule } from './id-rule.js';
import type { NamedFiles } from './named-files.node.js';

interface RuleObjectsOptions extends Pick<LookedUpObjectsOptions, 'forward' | 'decrypt'> {
  readonly files: NamedFiles;
  readonly indexRule: IdRule | undefined;
}

/** Serves the files at the URLs that a rule makes of ids. They cannot be listed. */
export function ruleObjects(rule: IdRule, { files, indexRule, ...options }: RuleObjectsOptions): ObjectCatalogue {
  const locate = (each: IdRule | undefined, id: string): string | undefined => {
    const rest = each?.render(id);
    return rest === undefined ? undefined : `${each?.root}${rest}`;
  };
  return lookedUpObjects({
    ...options,
    candidates: async (id, datatype, caller) => {
      const location = locate(rule, id);
      if (location === undefined) return [];
      return files.ofLocation({ location, index: locate(indexRule, id), id, datatype, caller });
    },
    guards: () => [],
    list: async () => [],
    close: async () => undefined,
  });
}

/**
 * Serves the objects of a catalogue under other ids: what a rule makes of an id is a path in the catalogue. A path with the extension
 * of a format has this format only. They cannot be listed.
 */
export function restrictToKind(rule: IdRule, base: ObjectCatalogue): ObjectCatalogue {
  return {
    async resolve(id, datatype: Datatype, context) {
      const path = rule.render(id);
      if (path === undefined) return undefined;
      const kind = objectKindOf(path);
      if (kind === undefined) return base.resolve(path, datatype, context);
      if (kind.datatype !== datatype) return undefined;
      const files = await base.resolve(path.slice(0, -kind.extension.length), datatype, context);
      const found = files?.filter(({ format }) => format === kind.format) ?? [];
      return found.length === 0 ? undefined : found;
    },
    list: async () => [],
    close: base.close,
  };
}
