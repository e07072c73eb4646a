import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { ConfigError, type ConfigFault, compareFaults } from './config-error.js';

/** The keys of maps and indexes of lists that lead to a value. */
export type ConfigPath = readonly PropertyKey[];

/** A YAML text with environment variables expanded. It knows the place of each value. */
export class ConfigDocument {
  readonly #file: string;
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  /** The pairs of maps by their keys. A map may have tens of thousands of unknown keys, each of which is looked up. */
  readonly #pairs = new WeakMap<YAMLMap<Node, Node>, ReadonlyMap<string, Pair<Node, Node>>>();
  /** The values that consist only of variables. */
  readonly #expanded = new Set<Node>();

  /** Throws ConfigError for invalid YAML, duplicate keys, and variables that are not set. */
  constructor(text: string, { file, environment }: { readonly file: string; readonly environment: Environment }) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: false });
    // Later errors are mostly consequences of the first one.
    const [error] = [...this.#document.errors, ...this.#document.warnings];
    if (error !== undefined) this.refuse([this.#faultAt(error.pos[0], { path: '', message: explain(error, text) })]);
    this.refuse(this.#expand(environment));
  }

  /** Returns the values; an empty text has none. */
  toValue(): unknown {
    return (this.#document.toJS() as unknown) ?? {};
  }

  /** Throws ConfigError if there are any faults, sorted by place. */
  refuse(faults: readonly ConfigFault[]): void {
    if (faults.length === 0) return;
    throw new ConfigError(this.#file, faults.toSorted(compareFaults));
  }

  /** Creates a fault of the value at a path, or of its parent if the value is missing. */
  fault(path: ConfigPath, message: string): ConfigFault {
    let node = this.#document.contents as Node | null;
    for (const key of path) node = this.#child(node, key)?.value ?? node;
    return this.#faultAt(node?.range?.[0] ?? 0, { path: formatPath(path), message });
  }

  /** Creates a fault of a key in the map at a path. */
  keyFault(path: ConfigPath, key: string, message: string): ConfigFault {
    let node = this.#document.contents as Node | null;
    for (const part of path) node = this.#child(node, part)?.value ?? null;
    const offset = this.#child(node, key)?.key?.range?.[0] ?? 0;
    return this.#faultAt(offset, { path: formatPath([...path, key]), message });
  }

  /**
   * Parses a value that consists only of variables as YAML without quotes, for example as a number. Returns whether it has the
   * given type then.
   */
  retype(path: ConfigPath, type: 'number' | 'boolean'): boolean {
    let node = this.#document.contents as Node | null;
    for (const key of path) node = this.#child(node, key)?.value ?? null;
    if (!isScalar(node) || !this.#expanded.has(node)) return false;
    const { contents, errors } = parseDocument(String(node.value));
    const value: unknown = errors.length === 0 && isScalar(contents) ? contents.value : undefined;
    if (typeof value !== type) return false;
    node.value = value;
    return true;
  }

  #expand(environment: Environment): ConfigFault[] {
    const faults: ConfigFault[] = [];
    visit(this.#document, {
      Map: (_, { items }) => {
        // The parser compares each key with all others of its map.
        const seen = new Set<unknown>();
        for (const { key } of items) {
          const value = isScalar(key) ? key.value : key;
          const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
          if (seen.has(value)) faults.push(this.#faultAt(offset, { path: '', message: 'Map keys must be unique' }));
          seen.add(value);
        }
      },
      Scalar: (key, node, path) => {
        if (key === 'key' || typeof node.value !== 'string') return;
        if (/^(\$\{\w+\})+$/.test(node.value)) this.#expanded.add(node);
        try {
          node.value = expandEnvironment(node.value, environment, groupsOf(path.at(-2)));
        } catch (error) {
          faults.push(this.#faultAt(node.range?.[0] ?? 0, { path: '', message: (error as RangeError).message }));
        }
      },
      Alias: (_, node) => {
        // An alias of a map or list could contain itself or expand without end.
        if (isScalar(node.resolve(this.#document))) return;
        const message = 'expected the alias of a text, a number, true or false';
        faults.push(this.#faultAt(node.range?.[0] ?? 0, { path: '', message }));
      },
    });
    return faults;
  }

  #child(parent: Node | null, key: PropertyKey): { readonly key?: Node; readonly value: Node | null } | undefined {
    if (isSeq<Node>(parent)) return { value: parent.items[Number(key)] ?? null };
    if (!isMap<Node, Node>(parent)) return undefined;
    const known = this.#pairs.get(parent);
    const pairs = known ?? pairsOf(parent);
    if (known === undefined) this.#pairs.set(parent, pairs);
    return pairs.get(String(key));
  }

  #faultAt(offset: number, fault: Pick<ConfigFault, 'path' | 'message'>): ConfigFault {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1), ...fault };
  }
}

function pairsOf({ items }: YAMLMap<Node, Node>): ReadonlyMap<string, Pair<Node, Node>> {
  return new Map(items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])));
}

function explain({ code, message, pos }: YAMLError, text: string): string {
  if (text[pos[0] - 1] === '$' && text[pos[0]] === '{')
    return 'a value that begins with ${ inside of braces must be quoted';
  return code === 'MULTIPLE_DOCS' ? 'expected the end of the file, found another document' : message;
}

/** Formats a path such as `htsget.locations[0].id`. */
function formatPath(path: ConfigPath): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the names of the groups of the key `match` of a map, which are not those of variables, and `id`. */
function groupsOf(map: unknown): ReadonlySet<string> {
  const match = isMap(map) ? map.get('match') : undefined;
  if (typeof match !== 'string') return new Set();
  return new Set(['id', ...Array.from(match.matchAll(/\(\?P?<(\w+)>/g), ([, name = '']) => name)]);
}

const VARIABLE = /\$\$\{|\$\{([^}]*)(\}?)/g;

/**
 * Replaces each `${NAME}` by the value of the environment variable, unless the name is one of `kept`, and `$${` by `${`. Throws
 * RangeError for a variable that is not set and for an invalid name. The message never contains a value.
 */
function expandEnvironment(text: string, environment: Environment, kept: ReadonlySet<string>): string {
  return text.replace(VARIABLE, (whole, name: string | undefined, end: string | undefined) => {
    if (whole === '$${') return '${';
    if (end !== '}' || name === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new RangeError('expected NAME} after "${"; for a literal "${" write "$${"');
    }
    if (kept.has(name)) return whole;
    const value = environment[name];
    if (value === undefined) throw new RangeError(`the environment variable ${name} is not set`);
    return value;
  });
}
