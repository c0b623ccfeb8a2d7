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
import { cellLine, resultsLine } from '../message/text-table.ts';

/** Columns of a table in an issue, at most. */
const columnsMax = 20;
/** The tracker refuses a text field above 32,767 characters. This limit also counts markup, as a margin. */
const documentCharactersMax = 32_000;
const budgets = [
  { columns: columnsMax, cell: 200, query: 5_000 },
  { columns: columnsMax, cell: 40, query: 2_000 },
  { columns: 8, cell: 20, query: 1_000 },
  { columns: 3, cell: 20, query: 300 },
] as const;

type Node = { readonly type: string; readonly [key: string]: unknown };

/** Returns a text node. The tracker refuses an empty one. */
const textNode = (text: string, marks?: readonly Node[]): Node => ({
  type: 'text',
  text: text === '' ? ' ' : text.toWellFormed(),
  ...(marks ? { marks } : {}),
});
const paragraph = (...content: Node[]): Node => ({ type: 'paragraph', content });
const tableCell = (type: 'tableHeader' | 'tableCell', text: string): Node => ({
  type,
  content: [paragraph(textNode(text))],
});

function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[], widthMax: number): Node {
  const row = (type: 'tableHeader' | 'tableCell', cells: readonly unknown[]): Node => ({
    type: 'tableRow',
    content: columns.map((_name, index) => tableCell(type, cellLine(cells[index], widthMax))),
  });
  return {
    type: 'table',
    content: [row('tableHeader', columns), ...rows.map((cells) => row('tableCell', cells))],
  };
}

function documentWithin(message: Message, budget: (typeof budgets)[number]): Node {
  const rows = previewRowsOf(message);
  const columns = message.columns.slice(0, budget.columns);
  const link = linkOf(message);
  const news = newsSentenceOf(message);
  const results = resultsLine(message, { rows: rows.length, columns: columns.length });
  return {
    version: 1,
    type: 'doc',
    content: [
      paragraph(textNode(cut(titleOf(message), 500), [{ type: 'strong' }])),
      ...(news === undefined ? [] : [paragraph(textNode(news))]),
      paragraph(textNode(`${results}.`)),
      ...(message.queryText === undefined
        ? []
        : [
            {
              type: 'codeBlock',
              attrs: { language: 'sql' },
              content: [textNode(cut(printable(message.queryText), budget.query))],
            },
          ]),
      ...(rows.length === 0 || columns.length === 0 ? [] : [tableOf(columns, rows, budget.cell)]),
      ...(link === undefined
        ? []
        : [paragraph(textNode('View Full Results', [{ type: 'link', attrs: { href: link } }]))]),
    ],
  };
}

/**
 * Returns the description of an issue, or the body of a comment, in the tracker's document format. It contains title,
 * total row count, visible query, preview rows as a table, and link, cut to the field's limit.
 */
export function issueDocument(message: Message): object {
  const [first, ...tighter] = budgets;
  let document = documentWithin(message, first);
  for (const budget of tighter) {
    if (JSON.stringify(document).length <= documentCharactersMax) break;
    document = documentWithin(message, budget);
  }
  return document;
}

/** Returns the summary of the issues of a query: one line of at most 255 characters. */
export function issueSummary(message: Message): string {
  return cut(singleLine(`SVC: ${message.subscriptionName}`).toWellFormed(), 255);
}
