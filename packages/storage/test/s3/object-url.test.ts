import { describe, expect, test } from 'vitest';
import { toBucketUrl, toObjectUrl } from '../../src/s3/object-url.js';
import { awkwardKeys } from './awkward-keys.js';

describe('the URL of a bucket', () => {
  test.each([
    [{ bucket: 'b' }, 'https://b.s3.us-east-1.amazonaws.com/'],
    [{ bucket: 'b', region: 'eu-west-3' }, 'https://b.s3.eu-west-3.amazonaws.com/'],
    [{ bucket: 'b', region: 'eu-west-3', forcePathStyle: true }, 'https://s3.eu-west-3.amazonaws.com/b/'],
    [{ bucket: 'b.c-d_e', endpoint: 'http://[::1]:7480', forcePathStyle: true }, 'http://[::1]:7480/b.c-d_e/'],
    [{ bucket: 'b', endpoint: 'https://example.org:8443' }, 'https://b.example.org:8443/'],
    [{ bucket: 'b', endpoint: 'https://example.org/s3/', forcePathStyle: true }, 'https://example.org/s3/b/'],
    [{ bucket: 'b', endpoint: 'https://example.org/?x#y', forcePathStyle: true }, 'https://example.org/b/'],
  ])('of %o is %s', (location, url) => {
    expect(toBucketUrl(location).href).toBe(url);
  });

  test.each([
    { bucket: '' },
    { bucket: '..' },
    { bucket: 'a/b' },
    { bucket: 'evil.example/' },
    { bucket: 'a@b' },
    { bucket: 'b', endpoint: 'example.org' },
    { bucket: 'b', endpoint: 'ftp://example.org' },
    { bucket: 'b', endpoint: 'https://user:secret@example.org', forcePathStyle: true },
    // In these, the bucket would be lost, or another one.
    { bucket: 'b', endpoint: 'http://127.0.0.1:7480' },
    { bucket: 'b', endpoint: 'http://[::1]:7480' },
    { bucket: 'Upper', endpoint: 'https://example.org' },
  ])('refuses %o', (location) => {
    expect(() => toBucketUrl(location)).toThrow(TypeError);
  });
});

describe('the URL of an object', () => {
  const bucketUrl = new URL('https://example.org/b/');

  test.each([...awkwardKeys, '/leading', '//example.com/a', 'nul\0', '%2e%2e'])(
    'with the key %j leads to it',
    (key) => {
      const url = toObjectUrl(bucketUrl, key);
      expect(url.origin).toBe('https://example.org');
      expect(url.search).toBe('');
      expect(url.hash).toBe('');
      expect(url.pathname).toMatch(/^\/b\/[A-Za-z0-9._~%/-]*$/);
      expect(decodeURIComponent(url.pathname)).toBe(`/b/${key}`);
      expect(new URL(url.href).href).toBe(url.href);
    },
  );

  test.each(['', '.', '..', 'a/../b', 'a/.', './a', '\ud800'])('with the key %j is INVALID_KEY', (key) => {
    expect(() => toObjectUrl(bucketUrl, key)).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }));
  });
});
