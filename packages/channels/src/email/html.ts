import { plural } from '@svc/contract';
import { cellToText } from '../message/cell.ts';
import {
  cut,
  linkOf,
  type Message,
  newsSentenceOf,
  previewRowsOf,
  printable,
  singleLine,
  titleOf,
} from '../message/message.ts';
import { resultsLine, textTable } from '../message/text-table.ts';

/** Columns, and characters of a cell, that a mail shows. Mail clients clip larger mails. */
const columnsMax = 30;
const cellCharactersMax = 500;
const queryCharactersMax = 10_000;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Encodes a text for element content and for quoted attributes. */
export function encodeHtml(text: string): string {
  return printable(text)
    .toWellFormed()
    .replace(/[&<>"'`]/g, (character) => entities[character] ?? character);
}

// Mail clients drop style sheets, so every element has inline styles.
const font = 'font-family:Arial,Helvetica,sans-serif;font-size:14px;color:#1a1a1a;';
const border = 'border:1px solid #d0d5dd;padding:6px 10px;text-align:left;vertical-align:top;';

const cellOf = (tag: 'td' | 'th', style: string, text: string) =>
  `<${tag} style="${style}">${encodeHtml(text)}</${tag}>`;

function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const head = columns.map((name) =>
    cellOf('th', `${font}${border}background:#f2f4f7;`, cut(name, cellCharactersMax)),
  );
  const body = rows.map((row) => {
    const cells = columns.map((_name, index) =>
      cellOf('td', `${font}${border}`, cut(cellToText(row[index]), cellCharactersMax)),
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:0 0 16px;"><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

function summaryOf(message: Message, shownRows: number): string {
  const shownColumns = Math.min(columnsMax, message.columns.length);
  const results = resultsLine(message, { rows: shownRows, columns: shownColumns });
  const news = newsSentenceOf(message);
  const sentences = [
    ...(news === undefined ? [] : [news]),
    `${results}.`,
    ...(message.attachment
      ? [
          `The attached file holds ${message.attachment.rowCount} of ${plural(message.totalRows ?? message.attachment.rowCount, 'record')}.`,
        ]
      : []),
  ];
  return sentences.join(' ');
}

/** Returns the HTML body. Every value is encoded, so that values never change the elements. */
export function emailHtml(message: Message): string {
  const rows = previewRowsOf(message);
  const columns = message.columns.slice(0, columnsMax);
  const title = encodeHtml(titleOf(message));
  const link = linkOf(message);
  const paragraph = (html: string) => `<p style="${font}margin:0 0 16px;">${html}</p>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title></head>`,
    '<body style="margin:0;padding:16px;background:#ffffff;">',
    `<h1 style="${font}font-size:18px;margin:0 0 16px;">${title}</h1>`,
    paragraph(encodeHtml(summaryOf(message, rows.length))),
    message.queryText === undefined
      ? ''
      : `<pre style="font-family:Consolas,Menlo,monospace;font-size:13px;color:#1a1a1a;background:#f2f4f7;padding:10px;margin:0 0 16px;white-space:pre-wrap;">${encodeHtml(cut(message.queryText, queryCharactersMax))}</pre>`,
    rows.length === 0 || columns.length === 0 ? '' : tableOf(columns, rows),
    link === undefined
      ? ''
      : paragraph(`<a href="${encodeHtml(link)}" style="color:#175cd3;">View Full Results</a>`),
    '</body></html>',
  ].join('');
}

/** Returns the plain-text body, for clients without HTML. */
export function emailText(message: Message): string {
  const rows = previewRowsOf(message);
  const link = linkOf(message);
  const table = textTable(message.columns, rows, { columnsMax, widthMax: 40 });
  return [
    titleOf(message),
    summaryOf(message, rows.length),
    ...(message.queryText === undefined ? [] : [printable(cut(message.queryText, queryCharactersMax))]),
    ...(rows.length === 0 || message.columns.length === 0 ? [] : [table.join('\n')]),
    ...(link === undefined ? [] : [`View Full Results: ${singleLine(link)}`]),
  ]
    .join('\n\n')
    .toWellFormed();
}

/** Text of a notice of the service. */
export type NoticeText = { readonly title: string; readonly text: string; readonly link?: string };

/** Returns the HTML and text bodies of a notice: a title, a paragraph, a link. */
export function noticeBodies({ title, text, link }: NoticeText): {
  readonly html: string;
  readonly text: string;
} {
  const paragraph = (html: string) => `<p style="${font}margin:0 0 16px;">${html}</p>`;
  const html = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${encodeHtml(title)}</title></head>`,
    '<body style="margin:0;padding:16px;background:#ffffff;">',
    `<h1 style="${font}font-size:18px;margin:0 0 16px;">${encodeHtml(title)}</h1>`,
    paragraph(encodeHtml(text)),
    link === undefined ? '' : paragraph(`<a href="${encodeHtml(link)}" style="color:#175cd3;">Open it</a>`),
    '</body></html>',
  ].join('');
  const plain = [singleLine(title), printable(text), ...(link === undefined ? [] : [singleLine(link)])];
  return { html, text: plain.join('\n\n').toWellFormed() };
}
