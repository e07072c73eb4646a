import { checkNamingAuthority } from '@htskit/sequences';
import { InvalidArgumentError } from 'commander';

/** The value of an option that is a naming authority. */
export function parseNamingAuthority(text: string): string {
  try {
    checkNamingAuthority(text);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The values of an option that may be given several times. */
export function addValue(text: string, previous: readonly string[]): readonly string[] {
  return [...previous, text];
}
