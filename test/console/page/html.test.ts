import { html, inLines } from '../../../src/console/page/html';

describe('html', () => {
  it('escapes every value, in text and in attributes', () => {
    const evil = `"><script>alert('x')</script>&`;
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</p>',
    );
  });

  it('takes its own parts as they are, joins lists, and leaves out what is not there', () => {
    const rows = ['a', 'b'].map((one) => html`<li>${one}</li>`);
    expect(html`<ul>${rows}${false}${undefined}</ul>${0}`.text).toBe(
      '<ul><li>a</li><li>b</li></ul>0',
    );
  });

  it('shows characters by their numbers that hide or turn others', () => {
    expect(html`${'pay\u202e1\u200b\u0000'}`.text).toBe('pay\\u202e1\\u200b\\u0000');
  });

  it('shows the lines of a text, each with its hidden characters', () => {
    expect(inLines('a & b\nc\u202e').text).toBe('a &amp; b<br>c\\u202e');
  });

  it('keeps a backslash of a page as it is', () => {
    expect(html`<code>a\nb</code>${'\\n'}`.text).toContain('\\n');
  });
});
