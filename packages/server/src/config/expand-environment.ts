export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\$\{|\$\{([^}]*)(\}?)/g;

/**
 * The text with the values of environment variables in place of `${NAME}`; `$${` stands for `${`. Throws RangeError, which
 * names the variable and never a value, for one that is not set and for what is none.
 */
export function expandEnvironment(text: string, environment: Environment): string {
  return text.replace(VARIABLE, (whole, name: string | undefined, end: string | undefined) => {
    if (whole === '$${') return '${';
    if (end !== '}' || name === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new RangeError('expected the name of a variable and a brace behind "${"; for "${" itself write "$${"');
    }
    const value = environment[name];
    if (value === undefined) throw new RangeError(`the environment has no ${name}`);
    return value;
  });
}
