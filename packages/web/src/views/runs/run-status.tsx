import type { DeliveryState, RunStatus } from '@svc/contract';
import { words } from '../../lib/format.ts';
import { Status, type Tone } from '../../ui/record/status.tsx';

const runTones: Readonly<{ [status in RunStatus]: Tone }> = {
  Created: 'blue',
  Sent: 'green',
  Silenced: 'neutral',
  NoResults: 'neutral',
  Timeout: 'red',
  BelowThreshold: 'neutral',
  Failed: 'red',
  Skipped: 'amber',
};

const deliveryTones: Readonly<{ [state in DeliveryState]: Tone }> = {
  Queued: 'blue',
  Sending: 'blue',
  Sent: 'green',
  Failed: 'red',
  Unknown: 'amber',
  Skipped: 'amber',
};

type Outcome = { readonly status: RunStatus; readonly heldUntil?: string | null };

/** How a run ended, or that it goes on. */
export const RunState = ({ status, heldUntil = null }: Outcome) => {
  if (heldUntil !== null) return <Status tone="neutral">Held</Status>;
  return <Status tone={runTones[status]}>{status === 'Created' ? 'Under way' : words(status)}</Status>;
};

/** How one delivery ended. */
export const DeliveryStatus = ({ state }: { readonly state: DeliveryState }) => (
  <Status tone={deliveryTones[state]}>{words(state)}</Status>
);

/** Tone of a delivery, for marks without words. */
export const toneOfDelivery = (state: DeliveryState): Tone => deliveryTones[state];

/** Tone of a run, for marks without words. */
export const toneOf = (status: RunStatus): Tone => runTones[status];
