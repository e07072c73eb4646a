import { describe, expect, test } from 'vitest';
import { NO_ANSWER } from '../../src/engine/run-suite.js';
import type { ConformOptions, Rule, RuleResult, Subject } from '../../src/index.js';
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
  /** A phrase about the broken service: `answers 200 for an unknown id`. */
  readonly fault: string;
  readonly break: Fault;
  /** The service that is broken. Default: the faithful service. */
  readonly service?: KeptService;
}

/** A service that keeps the rules, and the options of a run that it needs. */
export interface KeptService {
  readonly name: string;
  readonly create: () => Promise<Handler>;
  /** Default: `SERVICE_URL`. */
  readonly url?: string;
  readonly options?: ConformOptions;
  /** The rules that the service does not keep: a SHOULD that others depend on. */
  readonly breaks?: readonly string[];
}

/** Creates a service once for all tests. */
export function once(create: () => Promise<Handler>): () => Promise<Handler> {
  let created: Promise<Handler> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** The service of `createFaithfulService`. */
export const FAITHFUL: KeptService = { name: 'the faithful service', create: once(() => createFaithfulService()) };

/** The faithful service, checked by a run that cannot fetch its files as a whole. */
export const LARGE: KeptService = { ...FAITHFUL, name: 'a service of large files', options: { fileBytes: 40_000 } };

interface CheckOptions {
  readonly fault?: Fault;
  readonly only: readonly string[];
}

async function check(
  { create, url, options }: KeptService,
  { fault, only }: CheckOptions,
): Promise<readonly RuleResult[]> {
  const report = await conform(url ?? SERVICE_URL, {
    ...KNOWN_IDS,
    fetch: fetchFrom(await create(), fault),
    requestsPerSecond: Number.POSITIVE_INFINITY,
    only,
    ...options,
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

  test('faithful services keep all rules, and each rule applies to one', { timeout: 180_000 }, async () => {
    const passed = new Set<string>();
    for (const service of services) {
      const results = await check(service, { only: ids });
      const broken = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
      expect(broken.filter(({ id }) => service.breaks?.includes(id) !== true)).toEqual([]);
      for (const { id, outcome } of results) if (outcome === 'pass') passed.add(id);
    }
    expect(ids.filter((id) => !passed.has(id))).toEqual([]);
  });

  test('every rule has a fault, and every fault a rule', () => {
    expect([...new Set(mutations.map(({ rule }) => rule))].toSorted()).toEqual(ids.toSorted());
  });

  describe.each(mutations)('$rule', ({ rule, fault, break: breakService, service = FAITHFUL }) => {
    test(`is broken by a service that ${fault}`, async () => {
      const results = await check(service, { fault: breakService, only: [rule] });
      const found = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn');
      expect(found.map(({ id }) => id)).toContain(rule);
      // A fault that throws would break any rule.
      expect(found.map(({ expected }) => expected)).not.toContain(NO_ANSWER);
    });
  });
}
