import { expect, test } from 'vitest';
import { escapeXml, readXml } from './xml.ts';

/** Yields the bytes of a text in chunks of a size. */
async function* chunksOf(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(xml: string, size = 65_536) {
  const events: string[] = [];
  await readXml(
    chunksOf(xml, size),
    { a: { b: {}, c: { b: {} } } },
    {
      open: (name, attributes) => events.push(`<${name} ${attributes['k']?.value ?? ''}`),
      close: (name, text) => events.push(name === 'b' ? `${text}>` : '>'),
    },
  );
  return events.join('|');
}

test.each([
  ['<a><b k="1">火 </b><b k="2"/></a>', '<a |<b 1|火 >|<b 2|>|>'],
  ['<a>\n<c>x<b>1<!--2--><?p 3?><x>4</x>5</b>y</c></a>', '<a |<c |<b |15>|>|>'],
  ['<a><b><![CDATA[<b>&amp;]]>&amp;&#x706b;</b></a>', '<a |<b |<b>&amp;&火>|>'],
  ['<p:a xmlns:p="m"><p:b>1</p:b><b>2</b></p:a>', '<a |<b |1>|>'],
  ['<?xml version="1.0" encoding="utf-8"?><a><constructor/><toString/></a>', '<a |>'],
  ['<a><b>1\r\n2&#13;</b></a>', '<a |<b |1\n2\r>|>'],
])('reads the elements of %j, however its bytes are divided', async (xml, expected) => {
  for (const size of [1, 2, 7, 1_000]) expect(await read(xml, size)).toBe(expected);
});

test.each([
  '<b/>',
  '<a',
  '<a/><a/>',
  '<a></b>',
  '<a/>text',
  '<a k="1" k="2"/>',
  '<a xmlns:p="m" xmlns:q="m" p:k="1" q:k="2"/>',
  '<a>]]></a>',
  '<a k="<"/>',
  '<a><!-- a -- b --></a>',
  '<a>&#0;</a>',
  '<?xml version="1.0" encoding="UTF-16"?><a/>',
  '<!DOCTYPE a><a/>',
  ' <?xml version="1.0"?><a/>',
])('refuses %j', async (xml) => {
  await expect(read(xml)).rejects.toMatchObject({ name: 'UnsoundXml' });
});

test('writes texts that an XML reader returns unchanged', async () => {
  const text = 'a<b>&amp;]]>"\'\r\n\u00a0火😀';
  expect(await read(`<a><b k="${escapeXml('<"&>')}">${escapeXml(text)}</b></a>`)).toBe(
    `<a |<b <"&>|${text}>|>`,
  );
});
