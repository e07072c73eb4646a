import type { Answer } from '../engine/answer.js';
import type { RefgetSubject } from './refget-subject.js';

/** Asks for a sequence by another id than that of the subject. */
export function askIdentifier(subject: RefgetSubject, id: string, suffix = ''): Promise<Answer> {
  // Colons need no escape in a path.
  const path = encodeURIComponent(id).replaceAll('%3A', ':');
  return subject.probe.ask({ url: `${subject.endpoint}/${path}${suffix}` });
}

/** Returns whether service-info names an algorithm of digests. Every service has MD5. */
export function announces({ capabilities }: RefgetSubject, algorithm: string): boolean {
  const algorithms: unknown = capabilities['algorithms'];
  return algorithm === 'md5' || (Array.isArray(algorithms) && algorithms.includes(algorithm));
}
