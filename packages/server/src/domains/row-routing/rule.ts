import {
  type AttachmentFormat,
  type RowMemory,
  type RowRouting,
  type RowRoutingInput,
  xlsxRoutesMax,
} from '@svc/contract';
import { brokenRule, type MemberError } from '../../platform/http/index.ts';

/** Settings of a subscription that its routing must be compatible with. */
export type RoutedSubscription = {
  readonly recipientIds: readonly number[];
  /** Null: messages have no file. */
  readonly attachmentFormat: AttachmentFormat | null;
  readonly rowMemory: RowMemory | null;
};

/** Maximum number of errors in one response. */
const errorsMax = 20;

/**
 * Refuses a routing with a recipient that is not attached, with a duplicate value, or in conflict with the new settings
 * of the subscription.
 *
 * @param input    Undefined: the routing does not change; null: every recipient gets all rows.
 * @param present  Current routing.
 */
export function requireRouting(
  input: RowRoutingInput | null | undefined,
  present: RowRouting | null,
  subscription: RoutedSubscription,
): void {
  const routeCount = (input === undefined ? present?.routeCount : input?.routes.length) ?? 0;
  const errors = [
    ...(input ? routeErrors(input, new Set(subscription.recipientIds)) : []),
    ...(routeCount > 0 ? togetherErrors(routeCount, subscription) : []),
  ];
  if (errors.length === 0) return;
  const more = errors.length > errorsMax ? ` The first ${errorsMax} of ${errors.length} are named.` : '';
  throw brokenRule('invalid-routing', `Rows cannot be routed like this.${more}`, errors.slice(0, errorsMax));
}

function routeErrors(
  { routes, fallbackRecipientId = null }: RowRoutingInput,
  attached: ReadonlySet<number>,
): MemberError[] {
  const errors: MemberError[] = [];
  const firstOf = new Map<string, number>();
  for (const [index, { value, recipientId }] of routes.entries()) {
    const path = `/routing/routes/${index}`;
    const first = firstOf.get(value);
    if (first === undefined) firstOf.set(value, index);
    else errors.push({ path: `${path}/value`, message: `stands in route ${first + 1} already` });
    if (!attached.has(recipientId))
      errors.push({ path: `${path}/recipientId`, message: 'is not attached to the subscription' });
  }
  if (fallbackRecipientId !== null && !attached.has(fallbackRecipientId))
    errors.push({ path: '/routing/fallbackRecipientId', message: 'is not attached to the subscription' });
  return errors;
}

/** Returns the conflicts with other settings. */
function togetherErrors(
  routeCount: number,
  { attachmentFormat, rowMemory }: RoutedSubscription,
): MemberError[] {
  const hasTooManyFiles = attachmentFormat === 'Xlsx' && routeCount > xlsxRoutesMax;
  const tellsVanished = rowMemory?.changes.includes('Vanished') === true;
  return [
    ...(hasTooManyFiles
      ? [{ path: '/attachmentFormat', message: `must be Csv with more than ${xlsxRoutesMax} routes` }]
      : []),
    // A vanished row has no value to route it by.
    ...(tellsVanished
      ? [{ path: '/rowMemory/changes', message: 'must leave out Vanished where rows are routed' }]
      : []),
  ];
}
