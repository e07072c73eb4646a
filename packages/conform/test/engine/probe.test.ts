import { describe, expect, test } from 'vitest';
import { Probe, type ProbeOptions } from '../../src/index.js';

/** A probe of a service that answers each request with its method, and the requests that it sent. */
function recordingProbe(options: ProbeOptions = {}): { readonly probe: Probe; readonly sent: Request[] } {
  const sent: Request[] = [];
  const probe = new Probe({
    async fetch(url, init) {
      const request = new Request(url, init);
      sent.push(request);
      return new Response(request.method);
    },
    ...options,
  });
  return { probe, sent };
}

const URL_TEXT = 'http://127.0.0.1/reads/a';

test('sends the same request once, and others again', async () => {
  const { probe, sent } = recordingProbe();
  await probe.ask({ url: URL_TEXT });
  await probe.ask({ url: URL_TEXT });
  await probe.ask({ url: URL_TEXT, headers: { accept: '*/*' } });
  await probe.askAgain({ url: URL_TEXT });
  expect(sent).toHaveLength(3);
});

test('sends the token to the service, and not with requests for blocks', async () => {
  const { probe, sent } = recordingProbe({ token: 'secret' });
  await probe.ask({ url: URL_TEXT });
  await probe.ask({ url: URL_TEXT, isAuthorized: false });
  expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer secret', null]);
});

test('sends the methods that a service of htsget has', async () => {
  const { probe } = recordingProbe();
  for (const method of ['GET', 'OPTIONS', 'POST', 'QUERY'] as const) {
    expect((await probe.ask({ url: URL_TEXT, method })).text).toBe(method);
  }
});

test('fails with BUDGET for an answer that is longer than what is left', async () => {
  const { probe } = recordingProbe({ budgetBytes: 5 });
  await probe.ask({ url: URL_TEXT });
  expect(probe.bytesLeft).toBe(2);
  await expect(probe.ask({ url: `${URL_TEXT}2` })).rejects.toMatchObject({ code: 'BUDGET' });
});

test('fails with NO_ANSWER, the reason and the request if the connection fails', async () => {
  const request = { url: URL_TEXT };
  const { probe } = recordingProbe({
    fetch: async () => {
      throw new TypeError('fetch failed', { cause: new Error('connection refused') });
    },
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    timeoutMilliseconds: 1000,
    random: () => 0,
  });
  await expect(probe.ask(request)).rejects.toMatchObject({ code: 'NO_ANSWER', request });
});

describe('the rate of requests', () => {
  /** Returns the delays before each of some requests. */
  async function delaysOf(url: string, options: ProbeOptions): Promise<number[]> {
    const delays: number[] = [];
    let time = 0;
    const sleep = async (milliseconds: number): Promise<void> => {
      // The limit for an answer is a timer as well, which never ends here.
      if (milliseconds >= 30_000) return new Promise(() => undefined);
      delays.push(milliseconds);
      time += milliseconds;
    };
    const { probe } = recordingProbe({ now: () => time, sleep, ...options });
    for (const suffix of ['1', '2', '3']) await probe.ask({ url: url + suffix });
    return delays;
  }

  test('is at most 20 in a second to another machine', async () => {
    expect(await delaysOf('https://service.test/', {})).toEqual([50, 50]);
  });

  test('is not limited to this machine', async () => {
    expect(await delaysOf('http://127.0.0.1:8080/', {})).toEqual([]);
    expect(await delaysOf('http://[::1]:8080/', {})).toEqual([]);
  });

  test('is that of the options', async () => {
    expect(await delaysOf('http://127.0.0.1:8080/', { requestsPerSecond: 4 })).toEqual([250, 250]);
  });
});
