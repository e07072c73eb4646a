import { expect, test } from 'vitest';
import { escapeXml, readElement, readElements } from '../../src/s3/xml.js';

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
