import type { Channel, Delivery } from '../channel.ts';
import { chatBody } from '../message/chat-template.ts';
import {
  flaggedAnomalyOf,
  linkOf,
  type Message,
  newsSentenceOf,
  previewRowsOf,
  printable,
  singleLine,
  titleOf,
} from '../message/message.ts';
import { resultsLine, textTable } from '../message/text-table.ts';
import { jsonHeaders, outcomeOf } from '../post-json.ts';
import {
  codeBlock,
  codeBlocksOf,
  escapeBlockText,
  fitBlockText,
  fitPlainText,
  sectionCharactersMax,
} from './block-text.ts';

/** Rows and columns of a block message (spec 3 section 8). */
const rowsMax = 25;
const columnsMax = 5;
const columnWidthMax = 20;
/** The vendor's limit for a header. */
const headerCharactersMax = 150;

const section = (mrkdwn: string) => ({ type: 'section', text: { type: 'mrkdwn', text: mrkdwn } });
const plainSection = (text: string) => ({
  type: 'section',
  text: { type: 'plain_text', text: fitPlainText(text, sectionCharactersMax), emoji: false },
});

function blocksOf(message: Message): object[] {
  const rows = previewRowsOf(message, rowsMax);
  const shownColumns = Math.min(columnsMax, message.columns.length);
  const anomaly = flaggedAnomalyOf(message);
  const news = newsSentenceOf(message);
  const link = linkOf(message);
  const results = resultsLine(message, { rows: rows.length, columns: shownColumns });
  const table = textTable(message.columns, rows, { columnsMax, widthMax: columnWidthMax });
  const title = fitPlainText(titleOf(message), headerCharactersMax);
  return [
    { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
    ...(anomaly
      ? [
          plainSection(
            printable(
              `Anomaly detected: ${singleLine(anomaly.severity)}\n${anomaly.explanation}`,
            ).toWellFormed(),
          ),
        ]
      : []),
    ...(news === undefined ? [] : [plainSection(news)]),
    ...(message.queryText === undefined
      ? []
      : [section(codeBlock(fitBlockText(printable(message.queryText))))]),
    section(results),
    ...(rows.length === 0 ? [] : codeBlocksOf(table).map(section)),
    ...(link === undefined
      ? []
      : [
          {
            type: 'actions',
            elements: [
              {
                type: 'button',
                text: { type: 'plain_text', text: 'View Full Results', emoji: false },
                url: link,
              },
            ],
          },
        ]),
  ];
}

/** Returns the default body: header, anomaly, query, results line, rows, button (spec 3 section 5.1). */
export function chatBlocksBody(message: Message): string {
  // Phone notifications show the text outside the blocks.
  return JSON.stringify({ text: escapeBlockText(titleOf(message)), blocks: blocksOf(message) });
}

const preview = (delivery: Pick<Delivery, 'message' | 'bodyTemplate' | 'numbers'>) =>
  chatBody(delivery, chatBlocksBody);

/** A team chat that accepts block messages at an incoming webhook. */
export const chatBlocksChannel: Channel = {
  type: 'ChatBlocks',
  preview,
  deliver: async (delivery, { request }) => {
    const { body, isDefault } = preview(delivery);
    const answer = await request({ url: delivery.destination, method: 'POST', headers: jsonHeaders, body });
    return outcomeOf(answer, delivery.bodyTemplate && isDefault ? ['TemplateNotUsed'] : []);
  },
};
