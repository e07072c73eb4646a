import { expect, test } from 'vitest';
import {
  formatLocation,
  parseLocation,
  pathOf,
  type StorageLocation,
  withPath,
} from '../../src/locations/location.node.js';

test.each<[string, StorageLocation]>([
  ['a/b', { kind: 'path', path: '/folder/a/b' }],
  ['../a', { kind: 'path', path: '/a' }],
  ['/a/', { kind: 'path', path: '/a' }],
  ['a:b', { kind: 'path', path: '/folder/a:b' }],
  ['s3://b', { kind: 's3', bucket: 'b', key: '' }],
  ['s3://b/', { kind: 's3', bucket: 'b', key: '' }],
  ['S3://b.c-d/e/f.bam', { kind: 's3', bucket: 'b.c-d', key: 'e/f.bam' }],
  ['s3://b/c d?e#%20/', { kind: 's3', bucket: 'b', key: 'c d?e#%20' }],
  ['https://a.example:81/b%20c.bam?d=e', { kind: 'http', url: 'https://a.example:81/b%20c.bam?d=e' }],
  ['HTTP://A.example/b', { kind: 'http', url: 'http://a.example/b' }],
])('parses %s as a location', (text, location) => {
  expect(parseLocation(text, '/folder')).toEqual(location);
});

test.each([
  ['', /^expected a path, s3/],
  ['a\0b', /^expected a path, s3/],
  ['gs://a/b', /^expected a path, s3/],
  ['file:///a', /^expected a path, s3/],
  ['s3://', /^expected s3:\/\/BUCKET/],
  ['s3:///a', /^expected s3:\/\/BUCKET/],
  ['s3://a b/c', /^expected s3:\/\/BUCKET/],
  ['s3://a//c', /^expected s3:\/\/BUCKET/],
  ['s3://a/./c', /^expected s3:\/\/BUCKET/],
  ['https://', /^expected a URL without/],
  ['https://u@a.example/', /^expected a URL without/],
  ['https://:p@a.example/', /^expected a URL without/],
  ['https://a.example/#b', /^expected a URL without/],
  ['https://a.example/%ff', /^expected a URL whose path is percent-encoded UTF-8/],
])('rejects %j as a location', (text, message) => {
  expect(() => parseLocation(text, '/')).toThrow(message);
});

test('omits the query of a URL when formatting a location', () => {
  const shown = (text: string): string => formatLocation(parseLocation(text, '/'));
  expect(shown('https://a.example/b.bam?X-Amz-Signature=secret')).toBe('https://a.example/b.bam');
  expect([shown('s3://a/b/'), shown('s3://a'), shown('b')]).toEqual(['s3://a/b', 's3://a', '/b']);
});

test('replaces the path of a location, percent-encoded in URLs, unless the URL has a query', () => {
  const beside = (text: string): string | undefined => {
    const location = parseLocation(text, '/');
    const neighbour = withPath(location, `${pathOf(location)}#.bai`);
    return neighbour && (neighbour.kind === 'http' ? neighbour.url : pathOf(neighbour));
  };
  expect(beside('https://a.example/b%20c')).toBe('https://a.example/b%20c%23.bai');
  expect(beside('https://a.example/b?c')).toBeUndefined();
  expect([beside('s3://a/b'), beside('/c')]).toEqual(['b#.bai', '/c#.bai']);
});
