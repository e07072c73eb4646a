import type { Probe } from './probe.js';
import type { ProbeRequest } from './probe-request.js';

/** The weight of a rule, in the words of RFC 2119. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/**
 * How often a rule runs: once for a service, for each object of it (a file or a sequence), or for each format that an object is
 * answered in.
 */
export type Scope = 'service' | 'object' | 'format';

/** The service that a rule runs against, through a probe, and the object that its requests name. */
export interface Subject {
  /** Names the subject in reports: `reads/NA12878 BAM`. */
  readonly label: string;
  /** The scopes whose rules run against this subject. The first subject of a service has all of them. */
  readonly scopes: readonly Scope[];
  readonly probe: Probe;
}

/** One sentence of a specification and how to check it. */
export interface Rule<S extends Subject> {
  /** Unique among all rules, as PROTOCOL.TOPIC.NAME: `htsget.errors.unknown-id`. */
  readonly id: string;
  /** The section of the specification that states the rule. */
  readonly section: string;
  readonly level: Level;
  readonly scope: Scope;
  /** A phrase about a conforming service, without its subject: `answers 404 NotFound for an unknown id`. */
  readonly title: string;
  /**
   * The two readings of a specification that leaves the point open. A service that follows the first passes, and any other one is
   * warned about, never failed.
   */
  readonly readings?: readonly [string, string];
  /** Fails only for faults of the rule itself, and with `ConformError` for requests without an answer. */
  readonly run: (subject: S) => Promise<Verdict>;
}

/** The conclusion of a rule. */
export type Verdict =
  | { readonly kind: 'kept'; readonly note?: string }
  | {
      readonly kind: 'broken';
      /** The request whose answer breaks the rule. */
      readonly request: ProbeRequest;
      readonly expected: string;
      readonly found: string;
    }
  | { readonly kind: 'inapplicable'; readonly reason: string };

/** The verdict for a service that keeps a rule. */
export const KEPT: Verdict = { kind: 'kept' };

/** Returns the verdict for a service that keeps a rule, with a measurement to report. */
export function keptWith(note: string): Verdict {
  return { kind: 'kept', note };
}

/** Returns the verdict for an answer that breaks a rule. */
export function broken(
  { request }: { readonly request: ProbeRequest },
  { expected, found }: { readonly expected: string; readonly found: string },
): Verdict {
  return { kind: 'broken', request, expected, found };
}

/** Returns the verdict for a rule that does not apply to a service, such as one about a format that it does not have. */
export function inapplicable(reason: string): Verdict {
  return { kind: 'inapplicable', reason };
}

/** Ends a rule early with a verdict: thrown by what several rules share, such as reading a ticket. */
export class RuleEnd extends Error {
  override readonly name = 'RuleEnd';
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(verdict.kind === 'broken' ? verdict.found : verdict.kind);
    this.verdict = verdict;
  }
}

/** Returns the first verdict that is not kept. The checks after it do not run. */
export async function allKept(checks: Iterable<() => Verdict | Promise<Verdict>>): Promise<Verdict> {
  for (const check of checks) {
    const verdict = await check();
    if (verdict.kind !== 'kept') return verdict;
  }
  return KEPT;
}
