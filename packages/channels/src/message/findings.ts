import type { NotificationType } from '@svc/contract';
import { count, plural } from '@svc/contract';
import type { Preview } from '../channel.ts';
import { type Message, previewRowsMax } from './message.ts';
import { isJson, reviewTemplate } from './template.ts';

/** Remarks about a message before it is sent: a closed list. */
export const findingCodes = [
  'TemplateNotJson',
  'TemplateNotUsed',
  'UnknownPlaceholders',
  'RowsCut',
  'ColumnsCut',
  'TooLarge',
  'AttachmentNotSent',
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** A remark about a message, with a sentence about its consequence. */
export type Finding = { readonly code: FindingCode; readonly text: string };

/** Limits of the channels: rows and columns of the default message, and bytes of a body. */
const limits: Readonly<
  Record<NotificationType, { readonly rows: number; readonly columns?: number; readonly bytes?: number }>
> = {
  Email: { rows: previewRowsMax, columns: 30, bytes: 102_400 },
  ChatBlocks: { rows: previewRowsMax, columns: 5 },
  ChatCards: { rows: 10, columns: 3, bytes: 28_000 },
  IssueTracker: { rows: previewRowsMax },
  Webhook: { rows: previewRowsMax },
};
const blocksMax = 50;
const blockTextMax = 3_000;

const tooLarge = (text: string): Finding => ({ code: 'TooLarge', text });

/** Checks a channel's preview: template, cut rows and columns, and the channel's limits. */
export function inspectPreview(
  type: NotificationType,
  message: Message,
  preview: Preview,
  bodyTemplate: string | undefined,
): Finding[] {
  const size = sizeFindings(type, preview);
  const attachment: Finding[] =
    message.attachment && type !== 'Email'
      ? [{ code: 'AttachmentNotSent', text: 'Only email carries the attachment.' }]
      : [];
  if (bodyTemplate) return [...templateFindings(type, preview, bodyTemplate), ...size, ...attachment];
  return [...cutFindings(type, message), ...size, ...attachment];
}

function templateFindings(type: NotificationType, preview: Preview, bodyTemplate: string): Finding[] {
  const findings: Finding[] = [];
  const { unknownPlaceholders } = reviewTemplate(bodyTemplate);
  if (unknownPlaceholders.length > 0)
    findings.push({
      code: 'UnknownPlaceholders',
      text: `These placeholders do not exist and stay in the text: ${unknownPlaceholders.join(', ')}.`,
    });
  if (preview.isDefault)
    findings.push({
      code: 'TemplateNotUsed',
      text:
        type === 'Webhook'
          ? 'The template is too long, or becomes too long: the default body is sent.'
          : 'The template does not give a JSON object: the default message is sent.',
    });
  else if (type === 'Webhook' && !isJson(preview.body))
    findings.push({
      code: 'TemplateNotJson',
      text: 'The template does not give valid JSON. It is sent as it is; the receiver may refuse it.',
    });
  return findings;
}

function cutFindings(type: NotificationType, message: Message): Finding[] {
  const { rows, columns = message.columns.length } = limits[type];
  const shownRows = Math.min(rows, message.rows.length);
  return [
    ...(message.totalRows !== undefined && shownRows < message.totalRows
      ? [{ code: 'RowsCut', text: `Shows ${shownRows} of ${plural(message.totalRows, 'row')}.` } as const]
      : []),
    ...(columns < message.columns.length
      ? [
          {
            code: 'ColumnsCut',
            text: `Shows ${columns} of ${plural(message.columns.length, 'column')}.`,
          } as const,
        ]
      : []),
  ];
}

function sizeFindings(type: NotificationType, { body }: Preview): Finding[] {
  const { bytes: bytesMax } = limits[type];
  const bytes = Buffer.byteLength(body);
  if (bytesMax !== undefined && bytes > bytesMax)
    return [
      tooLarge(
        type === 'Email'
          ? `The mail has ${plural(bytes, 'byte')}: some mail programs show only the first ${count(bytesMax)}.`
          : `The message has ${plural(bytes, 'byte')}; the chat takes at most ${count(bytesMax)}.`,
      ),
    ];
  return type === 'ChatBlocks' ? blockFindings(body) : [];
}

/** Checks the blocks of a template, which may exceed the number or length that the chat accepts. */
function blockFindings(body: string): Finding[] {
  const { blocks } = JSON.parse(body) as { blocks?: unknown };
  if (!Array.isArray(blocks)) return [];
  const longest = Math.max(
    0,
    ...blocks.map((block: { text?: { text?: unknown } } | null) =>
      typeof block?.text?.text === 'string' ? block.text.text.length : 0,
    ),
  );
  return [
    ...(blocks.length > blocksMax
      ? [tooLarge(`The message has ${plural(blocks.length, 'block')}; the chat takes at most ${blocksMax}.`)]
      : []),
    ...(longest > blockTextMax
      ? [
          tooLarge(
            `A text has ${plural(longest, 'character')}; the chat takes at most ${count(blockTextMax)} in a block.`,
          ),
        ]
      : []),
  ];
}
