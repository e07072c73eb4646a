import type { PermittedSamples } from '@htskit/htsget';
import { z } from 'zod';

const sampleName = z.string().min(1).max(1000);

/** A list of samples, which may be empty, or all samples but those of a list. */
export const permittedSamples: z.ZodType<PermittedSamples> = z.union(
  [z.array(sampleName), z.strictObject({ except: z.array(sampleName).min(1) })],
  'expected a list of samples, or { except: [...] }',
);

/** Returns the samples that at least one of several permissions names. Undefined stands for all samples. */
export function uniteSamples(permissions: readonly (PermittedSamples | undefined)[]): PermittedSamples | undefined {
  const limits = permissions.filter((samples) => samples !== undefined);
  if (limits.length < permissions.length) return undefined;
  const listed = new Set(limits.flatMap((samples) => ('except' in samples ? [] : samples)));
  const [first, ...others] = limits.flatMap((samples) => ('except' in samples ? [new Set(samples.except)] : []));
  if (first === undefined) return [...listed];
  const hidden = [...first].filter((name) => !listed.has(name) && others.every((except) => except.has(name)));
  return { except: hidden };
}
