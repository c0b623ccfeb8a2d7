import { make } from '../client/make.ts';
import { addRecipient, addSubscription } from '../runs/subscribe.ts';
import { until } from '../runs/until.ts';
import { allPlaces, assertOk, type Compared, cellAt, isSame } from './compared.ts';
import { jsonForm } from './documented-form.ts';
import { decoded, mailRows } from './files.ts';

/** Parses JSON and returns numbers as texts, so that all digits are compared. */
const exact = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, ...[context]: unknown[]) =>
    typeof value === 'number' && typeof context === 'object' && context !== null && 'source' in context
      ? `number ${context.source}`
      : value,
  );

const shownMin = 12;

/** Removes white space and control characters. */
const squashed = (value: unknown): string =>
  (value === null || value === undefined ? '' : String(value)).replaceAll(/[\s\p{Cc}]/gu, '');

/** Returns true if a message shows the value, or its start with an ellipsis. */
function isShown(expected: unknown, actual: unknown): boolean {
  const [full, shown] = [squashed(expected), squashed(actual)];
  return (
    shown === full || (shown.endsWith('…') && shown.length > shownMin && full.startsWith(shown.slice(0, -1)))
  );
}

type Payload = { readonly notificationType: string; readonly body: string };
type CardCell = { readonly items: readonly { readonly inlines: readonly { readonly text: string }[] }[] };
type Block = { readonly text?: { readonly text?: string } };

const cardText = (cell: CardCell): string => cell.items[0]?.inlines[0]?.text ?? '';

/** Returns the cells of the table of a message. */
function payloadRows({ notificationType, body }: Payload): string[][] {
  if (notificationType === 'Email') return mailRows(body);
  const message = JSON.parse(body);
  if (notificationType === 'ChatCards') {
    const parts: { type: string; rows: { cells: CardCell[] }[] }[] = message.attachments[0].content.body;
    const table = parts.find(({ type }) => type === 'Table');
    return (table?.rows ?? []).slice(1).map(({ cells }) => cells.map(cardText));
  }
  const texts = message.blocks.map((block: Block) => block.text?.text ?? '');
  const lines = decoded(texts.filter((text: string) => text.includes('-+-')).join('\n')).split('\n');
  const rule = lines.findIndex((line) => /^-+(-\+-+)+$/.test(line));
  return (
    lines
      .slice(rule + 1)
      .filter((line) => line.includes(' |'))
      // If the last cells of a row are empty, its line ends without blanks.
      .map((line) => `${line} `.split(' | '))
  );
}

function compareRecords(compared: Compared, body: string, group: readonly number[]): void {
  const records: Record<string, unknown>[] = JSON.parse(body).records ?? [];
  const whole = exact(body);
  const exactRecords =
    typeof whole === 'object' && whole !== null && 'records' in whole && Array.isArray(whole.records)
      ? whole.records
      : [];
  if (records.length === 0) throw new Error(`The webhook has no rows: ${body.slice(0, 500)}`);
  for (const [row, record] of records.entries())
    for (const place of group) {
      const { kind, type, text } = cellAt(compared, row, place);
      const name = `c${place + 1}`;
      const isJson = kind === 'json' && text !== null;
      const expected = isJson ? JSON.stringify(exact(text)) : jsonForm(kind, text);
      const actual = isJson ? JSON.stringify(exactRecords[row]?.[name]) : record[name];
      compared.report.check({
        way: 'Webhook',
        type,
        row,
        expected,
        actual,
        isSame: isSame(expected, actual),
      });
    }
}

function compareTable(compared: Compared, payload: Payload, group: readonly number[]): void {
  const way = payload.notificationType;
  const rows = payloadRows(payload);
  if (rows.length === 0) throw new Error(`${way} shows no rows: ${payload.body.slice(0, 500)}`);
  for (const [row, cells] of rows.entries())
    for (const [index, place] of group.entries()) {
      const { kind, type, text } = cellAt(compared, row, place);
      const [expected, actual] = [jsonForm(kind, text), cells[index]];
      compared.report.check({ way, type, row, expected, actual, isSame: isShown(expected, actual) });
    }
}

/** A chat card shows three columns. */
const groupSize = 3;

/** Sends the message of a subscription to the sink, and compares the body that arrives. */
async function compareDelivery(compared: Compared, id: number, group: readonly number[]): Promise<void> {
  const { root, fixture } = compared;
  const before = fixture.sink.received.length;
  assertOk(await root.post(`/svc/api/subscriptions/${id}/test-run`), 'A run');
  const sent = await until('a delivery', async () =>
    fixture.sink.received.slice(before).find(({ path }) => path === '/values'),
  );
  compareRecords(compared, sent.text, group);
}

/** Compares the values in emails, both chat formats and webhooks. */
export async function compareMessages(compared: Compared): Promise<void> {
  const { root, fixture, source, sourceId } = compared;
  const { sink } = fixture;
  const recipientIds = await Promise.all([
    addRecipient(root, { notificationType: 'Email', destination: 'anna@example.org' }),
    addRecipient(root, { notificationType: 'ChatBlocks', destination: sink.urlOf('/blocks') }),
    addRecipient(root, { notificationType: 'ChatCards', destination: sink.urlOf('/cards') }),
    addRecipient(root, { notificationType: 'Webhook', destination: sink.urlOf('/values') }),
  ]);
  const places = allPlaces(compared);
  for (let from = 0; from < places.length; from += groupSize) {
    const group = places.slice(from, from + groupSize);
    const sql = source.select(group).replace('select id, ', 'select ');
    const steps = [{ dataSourceId: sourceId, sql }];
    const query = { projectId: fixture.projectId, name: `Values ${sourceId} ${from}`, steps };
    const queryId = (await make(root, '/svc/api/queries', query)).id;
    const id = await addSubscription(root, { queryId, recipientIds });
    const preview = await root.post(`/svc/api/subscriptions/${id}/message-preview`, { source: 'DryRun' });
    assertOk(preview, 'A preview of messages');
    const payloads: Payload[] = preview.body.payloads;
    for (const payload of payloads)
      if (payload.notificationType === 'Webhook') compareRecords(compared, payload.body, group);
      else compareTable(compared, payload, group);
    if (from === 0) await compareDelivery(compared, id, group);
  }
}
