import DOMPurify, { type Config } from 'dompurify';

type TrustedTypePolicy = NonNullable<Config['TRUSTED_TYPES_POLICY']>;

/** The part of Trusted Types that this page uses. TypeScript does not declare it. */
interface TrustedTypesScope {
  readonly trustedTypes?: {
    readonly defaultPolicy: TrustedTypePolicy | null;
    createPolicy(name: string, rules: Readonly<Record<string, (text: string) => string>>): TrustedTypePolicy;
  };
}

/**
 * Makes the browser sanitize whatever libraries parse as HTML, and refuse strings as scripts and their URLs. A browser without
 * Trusted Types relies on the Content-Security-Policy alone.
 */
export function sanitizeHtml(): void {
  const { trustedTypes } = globalThis as TrustedTypesScope;
  if (trustedTypes === undefined || trustedTypes.defaultPolicy !== null) return;
  // The sanitizer parses HTML itself, which must not be sanitized again.
  const unchanged = (text: string): string => text;
  const policy = trustedTypes.createPolicy('htskit', { createHTML: unchanged, createScriptURL: unchanged });
  trustedTypes.createPolicy('default', {
    // igv.js sets style sheets as HTML, whose `>` would be escaped. Without `<`, HTML has no elements.
    createHTML: (html) => (html.includes('<') ? DOMPurify.sanitize(html, { TRUSTED_TYPES_POLICY: policy }) : html),
  });
}
