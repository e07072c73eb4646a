import { AUTHORITIES, type Authority } from '@htskit/protocol';

/** An `Accept` header with the media type under both names of the standards body, then with others as they are given. */
export function toAccept(
  mediaType: (authority: Authority) => string,
  preferred: Authority,
  others: readonly string[],
): string {
  const names = [preferred, ...AUTHORITIES.filter((other) => other !== preferred)];
  const types = names.map((name, rank) => {
    const [type = ''] = mediaType(name).split(';');
    return rank === 0 ? type : `${type};q=0.9`;
  });
  return [...types, ...others].join(', ');
}
