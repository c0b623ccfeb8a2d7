import { type RowRoute, routeValueLengthMax, rowRoutesMax, xlsxRoutesMax } from '@svc/contract';
import { count, plural } from '../../../../lib/format.ts';
import type { Choices } from '../choices.ts';

/** Recipient as routes name it. */
type Named = { readonly id: number; readonly name: string };

/** Routing in the wizard. */
export type Routing = {
  readonly column: string;
  /** A route without a recipient has the id 0. */
  readonly routes: readonly RowRoute[];
  readonly fallbackRecipientId: number | null;
};

export const firstRouting: Routing = {
  column: '',
  routes: [{ value: '', recipientId: 0 }],
  fallbackRecipientId: null,
};

/** Errors of a routing: of the whole, and of single routes by index. */
export type RoutingErrors = {
  readonly column?: string;
  readonly routes?: string;
  readonly fallback?: string;
  readonly values: ReadonlyMap<number, string>;
  readonly recipients: ReadonlyMap<number, string>;
};

/** Returns the errors of the routing. Undefined if it is valid. */
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
      values.set(index, `At most ${plural(routeValueLengthMax, 'character')}.`);
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
    values,
    recipients: toNobody,
  };
  const { values: _values, recipients: _recipients, ...ofWhole } = errors;
  return Object.keys(ofWhole).length + values.size + toNobody.size === 0 ? undefined : errors;
}

/** Returns the error of the number of routes, or of their combination with other settings. */
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

/** Result of pasted lines: the routes, the invalid lines, and the error of each invalid line. */
export type Pasted = {
  readonly routes: readonly RowRoute[];
  readonly left: readonly string[];
  readonly problems: readonly string[];
};

/** Parses lines with a value, a tab and the name of a recipient: two columns copied from a spreadsheet. */
export function readPasted(text: string, recipients: readonly Named[]): Pasted {
  const byName = Map.groupBy(recipients, ({ name }) => name.trim().toLowerCase());
  const routes: RowRoute[] = [];
  const remaining: string[] = [];
  const problems: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue;
    const read = readLine(line, byName);
    if (typeof read !== 'string') routes.push(read);
    else {
      remaining.push(line);
      problems.push(`Line ${remaining.length} ${read}`);
    }
  }
  return { routes, left: remaining, problems };
}

/** Returns the route of a line, or its error. */
function readLine(line: string, byName: ReadonlyMap<string, readonly Named[]>): RowRoute | string {
  const [value = '', name = ''] = line.split('\t');
  const named = byName.get(name.trim().toLowerCase()) ?? [];
  const [recipient] = named;
  if (!line.includes('\t')) return 'has no tab between value and recipient.';
  if (value === '') return 'has no value.';
  if (!recipient) return `names “${name.trim()}”, who is no recipient of this subscription.`;
  return named.length > 1
    ? `names “${name.trim()}”, a name that several recipients have.`
    : { value, recipientId: recipient.id };
}

/** Returns the routes with the pasted ones. A pasted route replaces an existing route of the same value. */
export function withPasted(routes: readonly RowRoute[], pasted: readonly RowRoute[]): readonly RowRoute[] {
  const byValue = new Map(routes.filter(({ value }) => value !== '').map((route) => [route.value, route]));
  for (const route of pasted) byValue.set(route.value, route);
  return [...byValue.values()];
}
