import { expect, test } from 'vitest';
import { parseServiceUrl, toServiceUrl } from '../src/service-url.js';
import { UsageError } from '../src/usage-error.js';

test.each([
  ['htsget://data.example.org/reads/a', 'https://data.example.org/reads/a'],
  ['htsget://localhost:8080/reads/a', 'http://localhost:8080/reads/a'],
  ['HTSGET://127.0.0.1/reads/a?x=1', 'http://127.0.0.1/reads/a?x=1'],
  ['htsget://u:p@[::1]:80/reads/a', 'http://u:p@[::1]/reads/a'],
  ['htsget://LOCALHOST:443/a', 'http://localhost:443/a'],
  ['htsget://localhost.example.org/a', 'https://localhost.example.org/a'],
  ['htsget://localhost:pw@data.example/reads/x', 'https://localhost:pw@data.example/reads/x'],
  ['htsget://127.0.0.1:8080@data.example/reads/x', 'https://127.0.0.1:8080@data.example/reads/x'],
  ['htsget://data.example/?@localhost', 'https://data.example/?@localhost'],
  ['https://localhost/reads/a', 'https://localhost/reads/a'],
])('the URL %s stands for %s', (url, expected) => {
  expect(parseServiceUrl(url).href).toBe(expected);
});

test.each(['reads/a', 'htsget://', 'htsget://[::1/', 'https://a b/'])('%s is not a URL', (text) => {
  expect(toServiceUrl(text)).toBeUndefined();
  expect(() => parseServiceUrl(text)).toThrow(UsageError);
});
