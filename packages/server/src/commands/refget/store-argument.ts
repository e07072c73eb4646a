import { toObjectStore } from '@htskit/catalogue/internal';
import { InvalidArgumentError } from 'commander';

/** Checks the location of a store: a folder or s3://BUCKET/PREFIX. Throws InvalidArgumentError. */
export function parseStore(text: string): string {
  try {
    toObjectStore(text);
    return text;
  } catch {
    throw new InvalidArgumentError('expected a folder or s3://BUCKET/PREFIX.');
  }
}
