import { z } from 'zod';
import { httpUrl } from '../config/http-url.js';
import { datasetSection } from './rule-section.js';

/** One name or several. */
export const names = z.union(
  [z.string().min(1), z.array(z.string().min(1)).min(1)],
  'expected a string or a list of strings',
);

const trustedSection = z.strictObject({
  issuer: z.string().min(1).describe('The claim iss of visas and passports.'),
  jwksUrl: httpUrl.describe('The URL of the public keys of the issuer, which the jku of its visas must be equal to.'),
  sources: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The organisations, by the claim source, whose assertions the issuer may sign. Default: all.'),
});

/** The section `auth.passports` (GA4GH Passport 1.2). */
export const passportsSection = z.strictObject({
  trusted: z.array(trustedSection).min(1).describe('The issuers whose visas and passports are accepted.'),
  datasets: z
    .record(z.string().min(1), datasetSection)
    .optional()
    .describe(
      'What visas of the type ControlledAccessGrants grant, by their value, or by the last segment of its path. Default: nothing.',
    ),
  userinfoUrl: httpUrl
    .optional()
    .describe('The UserInfo endpoint of the issuer of jwt, which returns the visas of its access tokens.'),
  binding: z
    .enum(['none', 'sub', 'iss+sub'])
    .default('sub')
    .describe('The claims that a visa and the token must have in common, unless a visa links the two identities.'),
  audience: names
    .optional()
    .describe('The accepted values of the claim aud of passports and visas that have it. Default: that of jwt.'),
  by: z
    .array(z.string().min(1))
    .min(1)
    .default(['dac', 'so', 'system'])
    .describe('The authorities whose grants are accepted, by the claim by.'),
  maxAgeSeconds: z
    .number()
    .positive()
    .optional()
    .describe('Seconds for which a visa is accepted after it was asserted. Default: until it expires.'),
  clockSkewSeconds: z.number().min(0).max(600).default(60).describe('The tolerated clock skew in seconds.'),
  maxVisas: z.int().min(1).max(10_000).default(200).describe('The maximum number of visas of a token.'),
});
