import { expect, test } from 'vitest';
import { popoverHtml } from '../../page/igv/popover.js';

test('shows names and values as text', () => {
  expect(popoverHtml([{ name: '<b>X</b>', value: `"><iframe srcdoc='&'>` }])).toBe(
    '<div title="&quot;&gt;&lt;iframe srcdoc=&#39;&amp;&#39;&gt;"><span>&lt;b&gt;X&lt;/b&gt;</span>&nbsp;&nbsp;&nbsp;' +
      '&quot;&gt;&lt;iframe srcdoc=&#39;&amp;&#39;&gt;</div>',
  );
});

test('shows texts without the elements that igv.js puts around them', () => {
  expect(popoverHtml(['chr1:1', '<ul>', '<li><b>:1-2</li>', '</ul>', '<b>Base modifications:</b>'])).toBe(
    '<div>chr1:1</div><div>&lt;b&gt;:1-2</div><div>Base modifications:</div>',
  );
});

test.each(['<hr/>', '<HR>', { html: '<hr style="border-top: dotted 1px" />' }])('keeps the rule %j', (rule) => {
  expect(popoverHtml([rule])).toBe('<hr>');
});

test.each(['<hr><img src=x>', '<hr/ onclick="<b>">', { html: '<a href="https://a.example">b</a>' }])(
  'has no element for %j',
  (item) => {
    expect(popoverHtml([item])).not.toMatch(/<(?!\/?div)/);
  },
);

test('shows an allele that igv.js has escaped as it is stored, and values of any type', () => {
  expect(popoverHtml([{ name: 'Alt', value: '&lt;DEL>' }])).toContain('&nbsp;&lt;DEL&gt;<');
  expect(popoverHtml([{ name: 'Secondary', value: false }])).toContain('&nbsp;false<');
  expect(popoverHtml([{ name: 'QUAL', value: undefined }])).toContain('&nbsp;undefined<');
});
