import type { Subscription } from '@svc/contract';
import { Status } from '../../ui/record/status.tsx';

type Props = { readonly record: Pick<Subscription, 'state' | 'pausedSince'> };

/** Whether a subscription runs by its schedule. */
export function SubscriptionState({ record: { state, pausedSince } }: Props) {
  if (state === 'Archived') return <Status tone="neutral">Archived</Status>;
  return pausedSince === null ? <Status tone="green">Active</Status> : <Status tone="amber">Paused</Status>;
}
