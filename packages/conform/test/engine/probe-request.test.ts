import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type ProbeRequest, toCurl } from '../../src/engine/probe-request.js';

const URL_TEXT = "http://service.test/reads/it's?a=1&b=$HOME";

test.each<[string, ProbeRequest, string]>([
  ['a GET', { url: 'http://service.test/a' }, "curl -s 'http://service.test/a'"],
  ['a HEAD', { url: 'http://service.test/a', method: 'HEAD' }, "curl -s --head 'http://service.test/a'"],
  [
    'a POST with a header',
    { url: 'http://service.test/a', method: 'POST', headers: { accept: '*/*' }, body: '{}' },
    "curl -s -X POST -H 'accept: */*' --data-binary '{}' 'http://service.test/a'",
  ],
  [
    'an Authorization header',
    { url: 'http://service.test/a', headers: { Authorization: 'Bearer secret' } },
    `curl -s -H "Authorization: $TOKEN" 'http://service.test/a'`,
  ],
])('repeats %s', (_fact, request, command) => {
  expect(toCurl(request, { hasToken: false })).toBe(command);
});

test('names the token of the run instead of its value, and only for requests that have it', () => {
  const request = { url: 'http://service.test/a' };
  expect(toCurl(request, { hasToken: true })).toBe(`curl -s -H "Authorization: Bearer $TOKEN" 'http://service.test/a'`);
  expect(toCurl({ ...request, isAuthorized: false }, { hasToken: true })).toBe("curl -s 'http://service.test/a'");
});

test.each([URL_TEXT, 'http://service.test/\u0007\n\\x'])('quotes %j for a shell', (url) => {
  const argument = toCurl({ url }, { hasToken: false }).replace(/^curl -s /, '');
  expect(execFileSync('bash', ['-c', `printf %s ${argument}`]).toString()).toBe(url);
});
