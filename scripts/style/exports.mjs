import { posix } from 'node:path';

/**
 * Names that the entry points of two packages export for two different declarations. A name that one package re-exports
 * from another is one declaration. `sources` maps paths to texts, `manifests` package folders to their package.json.
 */
export function checkExports(sources, manifests) {
  const entries = new Map();
  for (const [folder, { name, exports = {} }] of manifests) {
    for (const [subpath, target] of Object.entries(exports)) {
      const file = target?.['@htskit/source'];
      if (file !== undefined) entries.set(posix.join(name, subpath), posix.join(folder, file));
    }
  }
  const declared = new Map();
  for (const [specifier, path] of entries) {
    const owner = specifier.split('/').slice(0, 2).join('/');
    for (const { name, line } of exportsOf(sources.get(path) ?? '')) {
      const declaration = resolve(path, name, { sources, entries, seen: new Set() });
      if (!declared.has(name)) declared.set(name, new Map());
      const places = declared.get(name);
      if (!places.has(declaration)) places.set(declaration, { owner, path, line });
    }
  }
  const findings = [];
  for (const [name, places] of declared) {
    const owners = new Set([...places.values()].map(({ owner }) => owner));
    if (owners.size < 2) continue;
    const [first, ...others] = places.values();
    for (const { path, line } of others) {
      findings.push({
        path,
        line,
        message: `"${name}" is also exported by ${first.owner}, for something else; rename one`,
      });
    }
  }
  return findings;
}

/** The file and the name that an export comes from in the end. */
function resolve(path, name, context) {
  const id = `${path}#${name}`;
  const source = context.sources.get(path);
  if (source === undefined || context.seen.has(id)) return id;
  context.seen.add(id);
  const found = exportsOf(source).find((one) => one.name === name);
  if (found === undefined || found.local === undefined) return id;
  const from = found.from ?? importOf(source, found.local);
  if (from === undefined) return id;
  const target = from.specifier.startsWith('.')
    ? posix.join(posix.dirname(path), from.specifier.replace(/\.js$/, '.ts'))
    : context.entries.get(from.specifier);
  return target === undefined ? `${from.specifier}#${from.name}` : resolve(target, from.name, context);
}

/** `{ name, line }` of each export; `local` if it is listed in braces, and `from` if it is re-exported. */
export function exportsOf(source) {
  const found = [];
  const lineAt = (index) => source.slice(0, index).split('\n').length;
  for (const match of source.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*'([^']+)')?/gm)) {
    for (const { name, local } of namesOf(match[1])) {
      const from = match[2] === undefined ? undefined : { specifier: match[2], name: local };
      found.push({ name, local, from, line: lineAt(match.index + match[0].indexOf(name)) });
    }
  }
  const declaration =
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;
  for (const match of source.matchAll(declaration)) found.push({ name: match[1], line: lineAt(match.index) });
  return found;
}

function importOf(source, local) {
  for (const match of source.matchAll(/^import\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/gm)) {
    const found = namesOf(match[1]).find(({ name }) => name === local);
    if (found !== undefined) return { specifier: match[2], name: found.local };
  }
  return undefined;
}

/** `type A, B as C`: the name outside of the braces' module, and the one within. */
function namesOf(list) {
  return list
    .split(',')
    .map((item) => item.trim().replace(/^type\s+/, ''))
    .filter((item) => item !== '')
    .map((item) => {
      const [local, name = local] = item.split(/\s+as\s+/);
      return { name, local };
    });
}
