import { expect, test } from 'vitest';
import { escapeXml, fromS3Refusal, readElement, readElements } from '../../src/s3/s3-response.js';

function refuse(status: number, code: string) {
  return fromS3Refusal(status, `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`, {
    key: 'k',
    retryAfterMilliseconds: 5,
  });
}

test.each([
  [404, 'NoSuchKey', 'NOT_FOUND', 'there is no such object'],
  [404, 'NoSuchBucket', 'UNAVAILABLE', 'there is no such bucket'],
  [403, 'AccessDenied', 'ACCESS_DENIED', 'the store refuses access to the object: AccessDenied'],
  [403, 'RequestTimeTooSkewed', 'ACCESS_DENIED', 'the store refuses access to the object: RequestTimeTooSkewed'],
  [400, 'ExpiredToken', 'UNAVAILABLE', 'the store answered HTTP 400: ExpiredToken'],
  [301, 'PermanentRedirect', 'UNAVAILABLE', 'the store answered HTTP 301: PermanentRedirect'],
  [412, 'PreconditionFailed', 'CHANGED', 'the object has another version than requested'],
])('%i %s lasts, and is %s', (status, name, code, message) => {
  expect(refuse(status, name)).toMatchObject({ code, message, isTransient: false, retryAfterMilliseconds: 5 });
});

test.each([
  [503, 'SlowDown', 'the store is temporarily unavailable: SlowDown'],
  [400, 'RequestTimeout', 'the store is temporarily unavailable: RequestTimeout'],
  [409, 'OperationAborted', 'the store is temporarily unavailable: OperationAborted'],
  [500, 'Other', 'the store answered HTTP 500: Other'],
  [200, 'Other', 'the store is temporarily unavailable: Other'],
])('%i %s is transient', (status, name, message) => {
  expect(refuse(status, name)).toMatchObject({ code: 'UNAVAILABLE', message, isTransient: true });
});

test.each(['', 'https://example.org/?token=secret', 'A'.repeat(65), '&toString;'])(
  'a malformed error code, such as "%s", is not quoted',
  (name) => {
    expect(refuse(403, name).message).toBe('the store refuses access to the object');
    expect(fromS3Refusal(403, name, { key: 'k' }).message).toBe('the store refuses access to the object');
  },
);

test('reads the texts of elements', () => {
  const xml =
    '<?xml version="1.0"?>\n<L xmlns="x"><K>a&amp;b</K><O><K>&#x26;&#38;&lt;&quot;</K></O><K/><Key>no</Key></L>';
  expect(readElements(xml, 'K')).toEqual(['a&b', '&&<"']);
  expect(readElement(xml, 'Key')).toBe('no');
  expect(readElement(xml, 'M')).toBeUndefined();
});

test('leaves references that lead to nothing as they are', () => {
  expect(readElement('<K>&toString;&valueOf;</K>', 'K')).toBe('&toString;&valueOf;');
  expect(readElement('<K>&nbsp;&#1114112;&#xzz;&;&#;&amp</K>', 'K')).toBe('&nbsp;&#1114112;&#xzz;&;&#;&amp');
});

test('what is escaped is read again', () => {
  const text = `"a" & <b> 'c' &amp; &#38;`;
  expect(readElement(`<K>${escapeXml(text)}</K>`, 'K')).toBe(text);
});
