import { expect, onTestFinished, test, vi } from 'vitest';
import { openFunction } from '../src/function.js';

const ENVIRONMENT = { HTSKIT_BUCKET: 'genomes', HTSKIT_KEY: 'utf8:0123456789abcdef' };
const OF_LOAD_BALANCER = { requestContext: { elb: { targetGroupArn: 'arn' } } };

test('the host that a client names to a load balancer is not the public URL', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  const app = await openFunction(ENVIRONMENT, 'buffered');
  const response = await app.request('https://evil.example/openapi.json', {}, OF_LOAD_BALANCER);
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('evil')]);
  expect(String(logged.mock.calls[0]?.[0])).toContain('set HTSKIT_PUBLIC_URL');
});

test('behind a load balancer, the public URL is that of the settings', async () => {
  const publicUrl = 'https://data.example.org';
  const app = await openFunction({ ...ENVIRONMENT, HTSKIT_PUBLIC_URL: publicUrl }, 'buffered');
  const response = await app.request('https://evil.example/openapi.json', {}, OF_LOAD_BALANCER);
  expect(await response.json()).toMatchObject({ servers: [{ url: publicUrl }] });
});
