import { describe, expect, test } from 'vitest';
import type { Rule, RuleResult, Subject } from '../../src/index.js';
import { conform } from '../../src/index.js';
import {
  createFaithfulService,
  type Fault,
  fetchFrom,
  type Handler,
  KNOWN_IDS,
  SERVICE_URL,
} from './faithful-service.js';

/** A way to break a rule. */
export interface Mutation {
  /** The id of the rule. */
  readonly rule: string;
  /** What the broken service does: `answers 200 for an unknown id`. */
  readonly fault: string;
  readonly break: Fault;
  /** The service that is broken. Default: the faithful service. */
  readonly service?: KeptService;
}

/** A service that keeps the rules, and the token that it needs. */
export interface KeptService {
  readonly name: string;
  readonly create: () => Promise<Handler>;
  readonly token?: string;
  /** The rules that the service does not keep: a SHOULD that others depend on. */
  readonly breaks?: readonly string[];
}

let faithful: Promise<Handler> | undefined;
/** The service of `createFaithfulService`. */
export const FAITHFUL: KeptService = {
  name: 'the faithful service',
  create: () => {
    faithful ??= createFaithfulService();
    return faithful;
  },
};

interface CheckOptions {
  readonly token?: string | undefined;
  readonly fault?: Fault;
  readonly only: readonly string[];
}

async function check(service: Handler, { fault, only, token }: CheckOptions): Promise<readonly RuleResult[]> {
  const report = await conform(SERVICE_URL, {
    ...KNOWN_IDS,
    fetch: fetchFrom(service, fault),
    requestsPerSecond: Number.POSITIVE_INFINITY,
    only,
    ...(token !== undefined && { token }),
  });
  return report.results;
}

/**
 * Defines the tests of a mutation table: the services keep every rule, each rule applies to one of them, every rule has a fault, and
 * each fault breaks its rule.
 */
export function testMutations<S extends Subject>(
  rules: readonly Rule<S>[],
  mutations: readonly Mutation[],
  services: readonly KeptService[] = [FAITHFUL],
): void {
  const ids = rules.map(({ id }) => id);

  test('faithful services keep all rules, and each rule applies to one', async () => {
    const passed = new Set<string>();
    for (const { create, token, breaks = [] } of services) {
      const results = await check(await create(), { only: ids, token });
      const broken = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
      expect(broken.filter(({ id }) => !breaks.includes(id))).toEqual([]);
      for (const { id, outcome } of results) if (outcome === 'pass') passed.add(id);
    }
    expect(ids.filter((id) => !passed.has(id))).toEqual([]);
  });

  test('every rule has a fault, and every fault a rule', () => {
    expect([...new Set(mutations.map(({ rule }) => rule))].toSorted()).toEqual(ids.toSorted());
  });

  describe.each(mutations)('$rule', ({ rule, fault, break: breakService, service = FAITHFUL }) => {
    test(`is broken by a service that ${fault}`, async () => {
      const { create, token } = service;
      const results = await check(await create(), { fault: breakService, only: [rule], token });
      const found = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
      expect(found.map(({ id }) => id)).toContain(rule);
    });
  });
}
