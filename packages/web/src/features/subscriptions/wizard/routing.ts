import { type RowRoute, routeValueLengthMax, rowRoutesMax, xlsxRoutesMax } from '@svc/contract';
import { count } from '../../../lib/format.ts';
import type { Choices } from './choices.ts';

/** A recipient as routes name it. */
type Named = { readonly id: number; readonly name: string };

/** How rows are routed, while it is put together. */
export type Routing = {
  readonly column: string;
  /** Of a route that has no recipient yet it is 0. */
  readonly routes: readonly RowRoute[];
  readonly fallbackRecipientId: number | null;
};

export const firstRouting: Routing = {
  column: '',
  routes: [{ value: '', recipientId: 0 }],
  fallbackRecipientId: null,
};

/** What is wrong with a routing: of the whole, and of single routes by their place. */
export type RoutingErrors = {
  readonly column?: string;
  readonly routes?: string;
  readonly fallback?: string;
  readonly values: ReadonlyMap<number, string>;
  readonly recipients: ReadonlyMap<number, string>;
};

/** What is wrong; undefined when nothing is. */
export function routingErrors({
  routing,
  recipients,
  attachment,
  trigger,
  rowMemory,
}: Pick<Choices, 'routing' | 'recipients' | 'attachment' | 'trigger' | 'rowMemory'>):
  | RoutingErrors
  | undefined {
  if (routing === null) return undefined;
  const { column, routes, fallbackRecipientId } = routing;
  const isTold = (id: number) => recipients.some((recipient) => recipient.id === id);
  const values = new Map<number, string>();
  const toNobody = new Map<number, string>();
  const firstOf = new Map<string, number>();
  for (const [index, { value, recipientId }] of routes.entries()) {
    const first = firstOf.get(value);
    if (value === '') values.set(index, 'Name a value.');
    else if (value.length > routeValueLengthMax)
      values.set(index, `At most ${routeValueLengthMax} characters.`);
    else if (first !== undefined) values.set(index, `Already in line ${first + 1}.`);
    else firstOf.set(value, index);
    if (recipientId === 0) toNobody.set(index, 'Choose who gets these rows.');
    else if (!isTold(recipientId)) toNobody.set(index, 'Is not a recipient of this subscription.');
  }
  const ofRoutes = errorOfAll(routes.length, { attachment, trigger, rowMemory });
  const errors: RoutingErrors = {
    ...(column.trim() === '' && { column: 'Name the column.' }),
    ...(ofRoutes !== undefined && { routes: ofRoutes }),
    ...(fallbackRecipientId !== null &&
      !isTold(fallbackRecipientId) && { fallback: 'Is not a recipient of this subscription.' }),
    ...{ values, recipients: toNobody },
  };
  const { values: _values, recipients: _recipients, ...ofWhole } = errors;
  return Object.keys(ofWhole).length + values.size + toNobody.size === 0 ? undefined : errors;
}

/** What the service lets so many routes not go with. */
function errorOfAll(
  routeCount: number,
  { attachment, trigger, rowMemory }: Pick<Choices, 'attachment' | 'trigger' | 'rowMemory'>,
): string | undefined {
  if (routeCount === 0 || routeCount > rowRoutesMax) return `Name 1 to ${count(rowRoutesMax)} values.`;
  if (attachment === 'Xlsx' && routeCount > xlsxRoutesMax)
    return `Excel files go with at most ${xlsxRoutesMax} values. Attach CSV files.`;
  return trigger === 'OnRowChange' && rowMemory.changes.includes('Vanished')
    ? 'Rows that are gone cannot be routed. Untick them above.'
    : undefined;
}

/** Lines that were pasted: the routes that they make, and what is wrong with the others. */
export type Pasted = { readonly routes: readonly RowRoute[]; readonly problems: readonly string[] };

/** Reads lines of a value, a tab and the name of a recipient, as a spreadsheet copies two columns. */
export function readPasted(text: string, recipients: readonly Named[]): Pasted {
  const byName = Map.groupBy(recipients, ({ name }) => name.trim().toLowerCase());
  const routes: RowRoute[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue;
    const [value = '', name = ''] = line.split('\t');
    const named = byName.get(name.trim().toLowerCase()) ?? [];
    const [recipient] = named;
    const at = `Line ${index + 1}`;
    if (!line.includes('\t')) problems.push(`${at} has no tab between value and recipient.`);
    else if (value === '') problems.push(`${at} has no value.`);
    else if (!recipient)
      problems.push(`${at}: no recipient of this subscription is called “${name.trim()}”.`);
    else if (named.length > 1) problems.push(`${at}: several recipients are called “${name.trim()}”.`);
    else routes.push({ value, recipientId: recipient.id });
  }
  return { routes, problems };
}

/** Routes with those that were pasted: a value that stands there already gets the pasted recipient. */
export function withPasted(routes: readonly RowRoute[], pasted: readonly RowRoute[]): readonly RowRoute[] {
  const byValue = new Map(routes.filter(({ value }) => value !== '').map((route) => [route.value, route]));
  for (const route of pasted) byValue.set(route.value, route);
  return [...byValue.values()];
}
