import { RE2JS } from 're2js';
import { isPlainPath } from '../locations/location.node.js';

export interface IdRuleOptions {
  /** A regular expression of RE2, which must match a whole id: `^(?<study>[^/]+)/(?<sample>.+)$`. */
  readonly match: string;
  /** A location with the names of groups in its path: `s3://bucket/${study}/${sample}.bam`. `${id}` is the whole id. */
  readonly template: string;
}

/** A longer expression is refused when it is compiled. */
const MAX_PATTERN_LENGTH = 1000;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const PLACEHOLDER = /\$\{([^}]*)\}/g;

/**
 * Turns ids into locations. The time of a match grows linearly with the id, whatever the expression is. The values of groups cannot
 * lead out of the folder, bucket or host that the template names: in a URL, they are percent-encoded.
 */
export class IdRule {
  /** The part of the template before its first placeholder, up to the last slash: a folder, a part of a bucket, or a URL. */
  readonly root: string;
  readonly #pattern: RE2JS;
  /** The part of the template after the root. */
  readonly #template: string;
  readonly #isUrl: boolean;

  /** Throws RangeError for an invalid expression or template. */
  constructor({ match, template }: IdRuleOptions) {
    this.#pattern = compile(match);
    const first = template.indexOf('${');
    const fixed = first === -1 ? template : template.slice(0, first);
    const scheme = SCHEME.exec(template)?.[0] ?? '';
    const slash = fixed.lastIndexOf('/');
    if (scheme !== '' && slash < scheme.length) throw new RangeError('expected a template with names in its path only');
    this.root = template.slice(0, slash + 1);
    this.#template = template.slice(slash + 1);
    this.#isUrl = /^https?:/i.test(scheme);
    if (this.#isUrl && /[?#]/.test(template)) throw new RangeError('expected a URL without a query or fragment');
    const groups = this.#pattern.namedGroups();
    for (const [, name = ''] of template.matchAll(PLACEHOLDER)) {
      if (name !== 'id' && !Object.hasOwn(groups, name)) throw new RangeError(`the expression has no group "${name}"`);
    }
  }

  /** Returns the part of the location after the root, or undefined if the rule does not apply to the id. */
  render(id: string): string | undefined {
    const matcher = this.#pattern.matcher(id);
    if (!matcher.matches()) return undefined;
    const groups = this.#pattern.namedGroups();
    let isPlain = true;
    const rendered = this.#template.replace(PLACEHOLDER, (_, name: string) => {
      const value = (Object.hasOwn(groups, name) ? matcher.group(name) : id) ?? '';
      isPlain &&= isPlainPath(value);
      return this.#isUrl ? value.split('/').map(encodeURIComponent).join('/') : value;
    });
    return isPlain && isPlainPath(rendered) ? rendered : undefined;
  }
}

function compile(text: string): RE2JS {
  if (text.length > MAX_PATTERN_LENGTH) throw new RangeError(`expected at most ${MAX_PATTERN_LENGTH} characters`);
  try {
    return RE2JS.compile(text);
  } catch (cause) {
    throw new RangeError(`"${text}" is not a regular expression of RE2`, { cause });
  }
}
