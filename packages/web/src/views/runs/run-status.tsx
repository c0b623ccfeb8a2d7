import type { DeliveryState, RunStatus, SilenceReason } from '@svc/contract';
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

/** Text and tone of a run that sent no message, by its reason. */
const silences: Readonly<{ [reason in SilenceReason]: readonly [Tone, string] }> = {
  StillFiring: ['red', 'Still firing'],
  AlertPending: ['amber', 'Alert pending'],
  Snoozed: ['neutral', 'Snoozed'],
  QuietHours: ['neutral', 'Quiet hours'],
  Baseline: ['neutral', 'Baseline'],
  NothingChanged: ['neutral', 'No change'],
  NothingRouted: ['neutral', 'No route'],
};

type Outcome = {
  readonly status: RunStatus;
  readonly silencedBy?: SilenceReason | null;
  readonly heldUntil?: string | null;
};

export const RunState = ({ status, silencedBy = null, heldUntil = null }: Outcome) => {
  if (heldUntil !== null) return <Status tone="neutral">Quiet hours</Status>;
  if (silencedBy !== null) {
    const [tone, text] = silences[silencedBy];
    return <Status tone={tone}>{text}</Status>;
  }
  return <Status tone={runTones[status]}>{status === 'Created' ? 'Under way' : words(status)}</Status>;
};

export const DeliveryStatus = ({ state }: { readonly state: DeliveryState }) => (
  <Status tone={deliveryTones[state]}>{words(state)}</Status>
);

/** Returns the tone of a delivery, for marks without words. */
export const toneOfDelivery = (state: DeliveryState): Tone => deliveryTones[state];

/** Returns the tone of a run, for marks without words. */
export const toneOf = (status: RunStatus): Tone => runTones[status];
