import { expect, test } from 'vitest';
import { HeadersView } from '../src/headers-view.js';

const INCOMING = { host: 'a', accept: '*/*', 'set-cookie': ['a=1', 'b=2'] };

function view(): Headers {
  return new HeadersView(INCOMING).toHeaders();
}

test('is an instance of Headers with the same members', () => {
  expect(view()).toBeInstanceOf(Headers);
  const native = new Headers(INCOMING as unknown as Record<string, string>);
  expect([...view()].map(([name]) => name)).toEqual([...native].map(([name]) => name));
  expect([...view().keys()]).toContain('accept');
  expect(new Headers(view()).get('accept')).toBe('*/*');
});

test('finds headers by names in any letter case', () => {
  expect([view().get('Accept'), view().has('HOST'), view().get('origin'), view().has('origin')]).toEqual([
    '*/*',
    true,
    null,
    false,
  ]);
  expect(view().get('set-cookie')).toBe('a=1, b=2');
});

test('does not find the members of objects', () => {
  expect([view().get('constructor'), view().has('__proto__')]).toEqual([null, false]);
});

test('rejects a name that is not valid', () => {
  expect(() => view().get('a b')).toThrow(TypeError);
});

test('has the headers that were changed', () => {
  const headers = view();
  headers.set('accept', 'text/plain');
  headers.delete('host');
  expect([headers.get('accept'), headers.has('host')]).toEqual(['text/plain', false]);
});
