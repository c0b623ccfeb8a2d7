import { plural } from '@svc/contract';
import type { Channel, ChannelAnswer, Delivery } from '../channel.ts';
import { cardConnectorSuffix, cardWire } from '../destination/vendor-facts.ts';
import { chatBody } from '../message/chat-template.ts';
import {
  cut,
  linkOf,
  type Message,
  newsSentenceOf,
  previewRowsOf,
  printable,
  singleLine,
  sourceName,
} from '../message/message.ts';
import { cellLine, resultsLine } from '../message/text-table.ts';
import type { DeliveryOutcome } from '../outcome.ts';
import { jsonHeaders, outcomeOf } from '../post-json.ts';

/** Rows and columns of a card (spec 3 section 8). */
const rowsMax = 10;
const columnsMax = 3;
/** The vendor refuses messages above 28 KB. */
const cardBytesMax = 27_000;
/** Text lengths in characters, from largest to smallest. The card uses the first that fits. */
const budgets = [
  { name: 250, query: 3_000, cell: 200 },
  { name: 200, query: 1_500, cell: 80 },
  { name: 100, query: 300, cell: 40 },
] as const;

type Budget = (typeof budgets)[number];

/** Returns a text run. Unlike a text block, it interprets no markup. */
const run = (text: string, style: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: text === '' ? ' ' : text.toWellFormed(), ...style }],
});

const fact = (label: string, value: string) => ({
  type: 'RichTextBlock',
  inlines: [
    { type: 'TextRun', text: `${label}: `, weight: 'Bolder' },
    { type: 'TextRun', text: value.toWellFormed() },
  ],
});

const tableCell = (cell: unknown, widthMax: number, style: object = {}) => ({
  type: 'TableCell',
  items: [run(cellLine(cell, widthMax), style)],
});

function tableOf(message: Message, rows: readonly (readonly unknown[])[], { cell: width }: Budget): object {
  const columns = message.columns.slice(0, columnsMax);
  return {
    type: 'Table',
    firstRowAsHeader: true,
    showGridLines: true,
    columns: columns.map(() => ({ width: 1 })),
    rows: [
      { type: 'TableRow', cells: columns.map((name) => tableCell(name, width, { weight: 'Bolder' })) },
      ...rows.map((row) => ({
        type: 'TableRow',
        cells: columns.map((_name, index) => tableCell(row[index], width)),
      })),
    ],
  };
}

/** Returns the heading of the table. */
function headingOf({ failedRules, totalRows = 0 }: Message, shown: number): string {
  const isCut = totalRows > shown;
  if (failedRules) return isCut ? `First ${plural(shown, 'rule')}` : 'Rules';
  return isCut ? `First ${plural(shown, 'record')}` : 'Records';
}

function cardOf(message: Message, budget: Budget): object {
  const rows = previewRowsOf(message, rowsMax);
  const shownColumns = Math.min(columnsMax, message.columns.length);
  const link = linkOf(message);
  const news = newsSentenceOf(message);
  const results = resultsLine(message, { rows: rows.length, columns: shownColumns });
  return {
    $schema: cardWire.schema,
    type: cardWire.type,
    version: '1.5',
    ...cardWire.hostOptions,
    body: [
      run(`${sourceName} query results`, { weight: 'Bolder', size: 'Large' }),
      fact('Data source', cut(singleLine(message.dataSourceName), budget.name)),
      fact('Query', cut(singleLine(message.subscriptionName), budget.name)),
      ...(news === undefined ? [] : [run(news, { weight: 'Bolder' })]),
      run(results),
      ...(message.queryText === undefined
        ? []
        : [run(cut(printable(message.queryText), budget.query), { fontType: 'Monospace' })]),
      ...(rows.length === 0
        ? []
        : [
            run(headingOf(message, rows.length), { weight: 'Bolder' }),
            ...(shownColumns === 0 ? [] : [tableOf(message, rows, budget)]),
          ]),
    ],
    actions: link === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'View Query Results', url: link }],
  };
}

/**
 * Returns the default body: a card with data source, query, rows and a button (spec 3 section 5.1), cut to the vendor's
 * limit.
 */
export function chatCardsBody(message: Message): string {
  let body = '';
  for (const budget of budgets) {
    const content = cardOf(message, budget);
    const attachments = [{ contentType: cardWire.contentType, contentUrl: null, content }];
    body = JSON.stringify({ type: 'message', attachments });
    if (Buffer.byteLength(body) <= cardBytesMax) break;
  }
  return body;
}

const preview = (delivery: Pick<Delivery, 'message' | 'bodyTemplate' | 'numbers'>) =>
  chatBody(delivery, chatCardsBody);

const isConnector = (destination: string) => new URL(destination).hostname.endsWith(cardConnectorSuffix);

/**
 * Returns the outcome of a connector. It answers 200 even on failure; only the text `1` or an empty text is a success.
 */
function connectorOutcome(answer: ChannelAnswer, outcome: DeliveryOutcome): DeliveryOutcome {
  if (!answer.ok || outcome.outcome !== 'Sent') return outcome;
  const text = Buffer.from(answer.body).toString('utf8').trim();
  if (text === '1' || text === '') return outcome;
  const { httpStatus = answer.status, bytesSent, durationMs } = outcome;
  return {
    outcome: 'Failed',
    reason: 'DeliveryFailed',
    mayHaveArrived: true,
    httpStatus,
    bytesSent,
    durationMs,
  };
}

/** A team chat that accepts cards at a workflow's webhook. */
export const chatCardsChannel: Channel = {
  type: 'ChatCards',
  preview,
  deliver: async (delivery, { request }) => {
    const { body, isDefault } = preview(delivery);
    const keepAnswer = isConnector(delivery.destination);
    const answer = await request({
      url: delivery.destination,
      method: 'POST',
      headers: jsonHeaders,
      body,
      keepAnswer,
    });
    const outcome = outcomeOf(answer, delivery.bodyTemplate && isDefault ? ['TemplateNotUsed'] : []);
    return keepAnswer ? connectorOutcome(answer, outcome) : outcome;
  },
};
